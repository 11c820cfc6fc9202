import SookeModel
import TestSupport
import Testing

@testable import Store

@Suite struct NameIndexTests {
    private static func record(_ id: Int, _ name: String) -> BusinessRecord {
        var business = Business()
        (business.id, business.name, business.slug) = (id, name, Slug("b-\(id)"))
        return BusinessRecord(business, categoryID: 1)
    }

    private static func matches(_ names: NameIndex, _ needle: String) -> [Int] {
        names.matches(of: CaseFolding.fold(needle), at: 0..<Int.max).ids
    }

    /// The matches among names that are inserted at once.
    private static func matches(_ sorted: [BusinessRecord], _ needle: String) -> [Int] {
        matches(NameIndex(sorted: sorted), needle)
    }

    @Test(arguments: [
        ("zed", [2]), ("CAFÉ", [1]), ("a", [3, 1, 4]), ("  ", []), ("arzed", []), ("\"quoted\"", [4]),
        ("", [3, 1, 4, 2]),
    ])
    func findsByName(_ needle: String, _ ids: [Int]) {
        let records = [(1, "Café"), (2, "Zed's"), (3, "Bar"), (4, "Say \"quoted\" \\")].map(Self.record)
        let sorted = records.sorted { $0.nameKey < $1.nameKey }
        #expect(Self.matches(sorted, needle) == ids)
        var names = NameIndex()
        for record in records { names.insert(record) { id in records.first { $0.id == id }?.nameKey } }
        #expect(Self.matches(names, needle) == ids)
    }

    /// Compared with a scan of all names, through splits and empty chunks.
    @Test func agreesWithAPlainList() {
        var random = SplitMix64(seed: 5)
        var records: [Int: BusinessRecord] = [:]
        var names = NameIndex()
        for step in 0..<6_000 {
            let id = Int.random(in: 1...900, using: &random)
            if let old = records[id] {
                names.remove(old) { records[$0]?.nameKey }
                records[id] = nil
            }
            if step < 3_000 ? id % 8 != 0 : id % 8 == 0 {
                let record = Self.record(id, "\(Int.random(in: 0...99, using: &random)) Bay \(id % 7)")
                records[id] = record
                names.insert(record) { records[$0]?.nameKey }
            }
            guard step % 97 == 0 || step > 5_990 else { continue }
            let needle = "\(Int.random(in: 0...9, using: &random)) b"
            let sorted = records.values.sorted { $0.nameKey < $1.nameKey }
            let expected = sorted.filter { CaseFolding.contains($0.foldedName, CaseFolding.fold(needle)) }.map(\.id)
            #expect(Self.matches(names, needle) == expected)
            #expect(Self.matches(sorted, needle) == expected)
        }
    }

    /// Parts of names, of lengths around those that are compared at once, compared with a scan; whole, by page and with
    /// a filter.
    @Test func findsEveryPartOfEveryName() {
        var random = SplitMix64(seed: 9)
        let words = ["Old", "Harbour", "Café", "aaaa", "Bay", "Sten", "é", "Quinmorzel's", "b"]
        let records = (1...1_500).map { id in
            let length = Int.random(in: 1...4, using: &random)
            return Self.record(
                id, (0..<length).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " "))
        }
        let sorted = records.sorted { $0.nameKey < $1.nameKey }
        let folded = sorted.map(\.foldedName)
        let names = NameIndex(sorted: sorted)
        for _ in 0..<120 {
            let name = sorted.randomElement(using: &random)?.foldedName ?? []
            let start = Int.random(in: 0..<name.count, using: &random)
            var needle = Array(name[start...].prefix(Int.random(in: 1...20, using: &random)))
            if Int.random(in: 0..<4, using: &random) == 0 {
                needle[Int.random(in: 0..<needle.count, using: &random)] = UInt8(ascii: "a")
            }
            let isOdd = { (id: Int) in id % 2 == 1 }
            let expected = sorted.indices.filter { holds(folded[$0], needle) }.map { sorted[$0].id }
            let wanted = 0..<Int.max
            #expect(names.matches(of: needle, at: wanted) == (expected, expected.count))
            #expect(names.matches(of: needle, at: wanted, where: isOdd).ids == expected.filter(isOdd))
            let first = Int.random(in: 0...expected.count, using: &random)
            let page = names.matches(of: needle, at: first..<first + 20)
            #expect(page == (Array(expected[first...].prefix(20)), expected.count))
        }
    }
}

/// Whether bytes contain others.
private func holds(_ name: [UInt8], _ needle: [UInt8]) -> Bool {
    name.indices.contains { name[$0...].starts(with: needle) }
}
