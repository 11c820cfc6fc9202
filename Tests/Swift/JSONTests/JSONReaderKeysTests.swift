import JSON
import TestSupport
import Testing

/// The keys of an object, each of them once.
@Suite struct JSONReaderKeysTests {
    /// The keys of an object whose values are all skipped.
    static func keys(_ document: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> [String] {
        var reader = JSONReader(document, limits: limits)
        var keys: [String] = []
        try reader.beginObject()
        while let key = try reader.nextKey() {
            keys.append(key)
            try reader.skipValue()
        }
        try reader.finish()
        return keys
    }

    static func document(_ names: [String], separator: String = "") -> String {
        "{" + names.map { "\(separator)\"\($0)\"\(separator):\(separator)1\(separator)" }.joined(separator: ",") + "}"
    }

    @Test(arguments: ["", " ", "\n    ", "\t\r\n            "])
    func findsKeysInTheirOrder(separator: String) throws {
        let names = ["id", "a_long_name_of_more_than_sixteen_bytes", "", "café"]
        #expect(try Self.keys(Self.document(names, separator: separator)) == names)
    }

    @Test func findsEscapedKeys() throws {
        let keys = try Self.keys(#"{"\u0069d":1,"n\u0061me":2,"caf\u00e9":3,"d\/y":4}"#)
        #expect(keys == ["id", "name", "café", "d/y"])
    }

    @Test(arguments: [
        (#"{"id":1,"id":2}"#, 8), (#"{"id":1,"name":1,"id":2}"#, 17), (#"{"name":1,"id":1,"name":2}"#, 17),
        (#"{"x":1,"id":2,"x":3}"#, 14), (#"{"id":1,"\u0069d":2}"#, 8), (#"{"\u0078":1,"x":2}"#, 12),
        (#"{"id":1, "name":1, "name":2}"#, 19),
    ])
    func refusesDuplicates(document: String, offset: Int) {
        let error = failure { () throws(JSONError) in _ = try Self.keys(document) }
        #expect(error?.message.hasSuffix("is there twice in one object") == true)
        #expect(error?.offset == offset)
    }

    /// Duplicates are found however many keys there are, in time that grows no faster than their number.
    @Test(arguments: [2, 3, 17, 20_000])
    func findsADuplicateAmongMany(count: Int) throws {
        let names = (0..<count).map { "key\($0)" }
        let good = Self.document(names)
        let limits = JSONLimits(keys: 30_000)
        #expect(try Self.keys(good, limits: limits).count == count)
        for index in Set([0, count / 2, count - 1]) {
            let bad = good.dropLast() + ",\"\(names[index])\":1}"
            let error = failure { () throws(JSONError) in try Tree.skip(Array(bad.utf8), limits: limits) }
            #expect(error?.message == "the key \"key\(index)\" is there twice in one object")
            #expect(error?.offset == good.utf8.count)
        }
    }

    @Test func forgetsTheKeysOfAnObjectAtItsEnd() throws {
        let many = Self.document((0..<60).map { "k\($0)" })
        try Tree.skip(Array("[\(many),\(many),{\"k0\":\(many),\"k1\":\(many)},\(many)]".utf8))
        let error = failure { () throws(JSONError) in try Tree.skip(Array("{\"k0\":\(many),\"k0\":1}".utf8)) }
        #expect(error != nil, "the outer object's keys are kept while an inner one is read")
    }
}
