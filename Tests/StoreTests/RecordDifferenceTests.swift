import Testing

@testable import Store

@Suite struct RecordDifferenceTests {
    @Test(arguments: [
        (#"{"id":1,"a":1}"#, #"{"id":1,"a":1}"#, "{}"),
        (#"{"id":1,"a":1,"b":"x"}"#, #"{"id":1,"a":2,"b":"x"}"#, #"{"a":1}"#),
        (#"{"id":1,"a":null,"b":[1,{"c":2}]}"#, #"{"id":1,"a":"","b":[1,{"c":3}]}"#, #"{"a":null,"b":[1,{"c":2}]}"#),
        // Members that are written only where they have something.
        (#"{"id":1,"b":2}"#, #"{"id":1,"a":1,"b":2}"#, #"{"a":null}"#),
        (#"{"id":1,"a":1,"b":2}"#, #"{"id":1,"b":2}"#, #"{"a":1}"#),
        (#"{"id":1,"a":"\"é\""}"#, #"{"id":1,"a":"é"}"#, #"{"a":"\"é\""}"#),
    ])
    func membersThatDiffer(before: String, after: String, was: String) {
        let difference = RecordDifference.members(of: Array(before.utf8), otherThanIn: Array(after.utf8))
        #expect(String(decoding: difference, as: UTF8.self) == was)
    }
}
