import SookeModel
import TestSupport
import Testing

@testable import Store

@Suite struct NameTextTests {
    private static func record(_ id: Int, _ name: String) -> BusinessRecord {
        var business = Business()
        (business.id, business.name, business.slug) = (id, name, Slug("b-\(id)"))
        return BusinessRecord(business, categoryID: 1)
    }

    private static func matches(_ names: NameText, _ needle: String) -> [Int] {
        var ids: [Int] = []
        names.forEachMatch(of: CaseFolding.fold(needle)) { ids.append($0) }
        return ids
    }

    @Test(arguments: [
        ("zed", [2]), ("CAFÉ", [1]), ("a", [3, 1, 4]), ("  ", []), ("arzed", []), ("\"quoted\"", [4]),
        ("", [3, 1, 4, 2]),
    ])
    func findsByName(_ needle: String, _ ids: [Int]) {
        let records = [(1, "Café"), (2, "Zed's"), (3, "Bar"), (4, "Say \"quoted\" \\")].map(Self.record)
        let sorted = records.sorted { $0.nameKey < $1.nameKey }
        #expect(Self.matches(NameText(sorted: sorted), needle) == ids)
        var names = NameText()
        for record in records { names.insert(record) { id in records.first { $0.id == id }?.nameKey } }
        #expect(Self.matches(names, needle) == ids)
    }

    /// Against all names looked at one by one, through many splits of chunks and emptied ones.
    @Test func agreesWithAPlainList() {
        var random = SplitMix64(seed: 5)
        var records: [Int: BusinessRecord] = [:]
        var names = NameText()
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
            #expect(Self.matches(NameText(sorted: sorted), needle) == expected)
        }
    }
}
