import JSON
import TestSupport
import Testing

/// Members found in a table, in every order and spelling.
@Suite struct JSONKeysTests {
    static let names = [
        "id", "name", "day_of_week", "open_time", "close_time", "12345678", "123456789012345", "1234567890123456",
        "a_long_name_that_differs_in_the_A_middle_only_here", "a_long_name_that_differs_in_the_B_middle_only_here",
        "", "café",
    ]
    static let keys = JSONKeys(names)

    /// The members of an object whose values are all skipped.
    static func members(_ document: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> [JSONMember] {
        var reader = JSONReader(document, limits: limits)
        var members: [JSONMember] = []
        try reader.beginObject()
        while let member = try reader.nextMember(keys) {
            members.append(member)
            try reader.skipValue()
        }
        try reader.finish()
        return members
    }

    static func document(_ names: [String], separator: String = "") -> String {
        "{" + names.map { "\(separator)\"\($0)\"\(separator):\(separator)1\(separator)" }.joined(separator: ",") + "}"
    }

    @Test(arguments: ["", " ", "\n    ", "\t\r\n            "])
    func findsKeysInTheirOrder(separator: String) throws {
        let document = Self.document(Self.names, separator: separator)
        #expect(try Self.members(document) == Self.names.indices.map { .known($0) })
    }

    @Test func findsKeysInAnyOrderAmongOthers() throws {
        var random = SplitMix64(seed: 1)
        let others = [
            "Id", "nam", "names", "open_tim", "a_long_name_that_differs_in_the_C_middle_only_here", "1234567",
        ]
        for _ in 0..<200 {
            let names = (Self.names + others).shuffled(using: &random).dropLast(5)
            let expected = names.map { name -> JSONMember in
                Self.names.firstIndex(of: name).map { .known($0) } ?? .unknown(name)
            }
            #expect(try Self.members(Self.document(Array(names))) == expected)
        }
    }

    @Test func keysThatOnlyBeginLikeKnownOnesAreUnknown() throws {
        for name in Self.names {
            for length in 1...(256 - name.utf8.count) {
                let longer = name + String(repeating: "x", count: length)
                #expect(try Self.members(Self.document([longer])) == [.unknown(longer)])
            }
        }
    }

    @Test func findsEscapedKeys() throws {
        let members = try Self.members(#"{"\u0069d":1,"n\u0061me":2,"caf\u00e9":3,"d\/y":4}"#)
        #expect(members == [.known(0), .known(1), .known(11), .unknown("d/y")])
    }

    @Test func emptyObject() throws {
        #expect(try Self.members("{ }") == [])
    }

    @Test(arguments: [
        (#"{"id":1,"id":2}"#, 8), (#"{"id":1,"name":1,"id":2}"#, 17), (#"{"name":1,"id":1,"name":2}"#, 17),
        (#"{"x":1,"id":2,"x":3}"#, 14), (#"{"id":1,"\u0069d":2}"#, 8), (#"{"\u0078":1,"x":2}"#, 12),
        (#"{"id":1, "name":1, "name":2}"#, 19),
    ])
    func refusesDuplicates(document: String, offset: Int) {
        let error = failure { () throws(JSONError) in _ = try Self.members(document) }
        #expect(error?.message.hasSuffix("is there twice in one object") == true)
        #expect(error?.offset == offset)
    }

    @Test func refusesABadKeyAsNextKeyDoes() {
        for document in [
            "{\"id", "{\"id\"", "{\"id\":", "{\"id\":1", "{\"id\":1,", "{\"id\" 1}", "{\"id\":1 \"name\":2}",
            "{,\"id\":1}", "{id:1}",
        ] {
            let error = failure { () throws(JSONError) in _ = try Self.members(document) }
            #expect(error == failure { () throws(JSONError) in try Tree.skip(Array(document.utf8)) })
            #expect(error != nil)
        }
    }

    /// Duplicates are found however many keys there are, in time that grows no faster than their number.
    @Test(arguments: [2, 15, 16, 17, 18, 20_000])
    func findsADuplicateAmongMany(count: Int) throws {
        let names = (0..<count).map { "key\($0)" }
        let good = Self.document(names)
        #expect(try Self.members(good, limits: .trusted).count == count)
        for index in Set([0, count / 2, count - 1]) {
            let bad = good.dropLast() + ",\"\(names[index])\":1}"
            let error = failure { () throws(JSONError) in try Tree.skip(Array(bad.utf8), limits: .trusted) }
            #expect(error?.message == "the key \"key\(index)\" is there twice in one object")
            #expect(error?.offset == good.utf8.count)
        }
    }

    @Test func forgetsTheKeysOfAnObjectAtItsEnd() throws {
        let many = Self.document((0..<20).map { "k\($0)" })
        try Tree.skip(Array("[\(many),\(many),{\"k0\":\(many),\"k1\":\(many)},\(many)]".utf8))
        let error = failure { () throws(JSONError) in try Tree.skip(Array("{\"k0\":\(many),\"k0\":1}".utf8)) }
        #expect(error != nil, "the outer object's keys are kept while an inner one is read")
    }
}
