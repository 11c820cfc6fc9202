import Bytes
import HTTP
import TestSupport
import Testing

@testable import Site

@Suite struct FormMergeTests {
    private static func sent(_ fields: [(String, String)]) throws -> Submission {
        let body = fields.map { PercentCoding.encode($0.utf8) + "=" + PercentCoding.encode($1.utf8) }.joined(
            separator: "&")
        return try Submission(Request(.post, "/", headers: [("Content-Type", "text/plain")], body: Array(body.utf8)))
    }

    @Test(arguments: [
        // before, mine, now in the town, what becomes of it
        ("a", "a", "a", "stays"), ("a", "a", "b", "stays"), ("a", "b", "a", "b"), ("a", "b", "b", "stays"),
        ("a", "b", "c", "conflict"), ("", "b", "", "b"), ("a", "", "a", ""), ("a", "", "b", "conflict"),
        ("a\nb", "a\r\nb", "a\r\nb", "stays"), (" a", "a", " a", "stays"), ("\u{FFFD}", "\u{FFFD}", "\0", "stays"),
    ])
    func oneField(_ before: String, _ mine: String, _ now: String, _ result: String) throws {
        let merge = FormMerge(try Self.sent([("x", mine), ("was.x", before)]), into: [("x", now)])
        switch result {
        case "stays": #expect(merge.changes.isEmpty && merge.conflicts.isEmpty)
        case "conflict":
            let conflict = FormState.Conflict(name: "x", before: before, theirs: now, mine: mine)
            #expect(merge.changes.isEmpty && merge.conflicts == [conflict])
        default: #expect(merge.changes == ["x": result] && merge.conflicts.isEmpty)
        }
    }

    @Test func whatAFormDoesNotShowStays() throws {
        let merge = FormMerge(try Self.sent([("y", "b")]), into: [("x", "a"), ("y", "a")])
        #expect(merge.changes.isEmpty && merge.conflicts.isEmpty)
    }

    /// Several people with forms of different ages: no change is lost, and none is made that nobody chose.
    @Test func interleavings() throws {
        var random = SplitMix64(seed: 32)
        let names = ["a", "b", "c"]
        for _ in 0..<400 {
            var town = Dictionary(uniqueKeysWithValues: names.map { ($0, "0") })
            var forms: [(shown: [String: String], typed: [String: String])] = []
            for number in 1...4 {
                var typed = town
                for name in names where Bool.random(using: &random) { typed[name] = "\(number)" }
                forms.append((town, typed))
                if Bool.random(using: &random) { town[names.randomElement(using: &random) ?? "a"] = "x\(number)" }
            }
            for form in forms.shuffled(using: &random) {
                let fields = names.flatMap { [($0, form.typed[$0] ?? ""), ("was." + $0, form.shown[$0] ?? "")] }
                let before = town
                let merge = FormMerge(try Self.sent(fields), into: names.map { ($0, town[$0] ?? "") })
                if merge.conflicts.isEmpty { town.merge(merge.changes) { $1 } }
                for name in names {
                    let wants = form.typed[name] != form.shown[name]
                    let isLost = wants && merge.conflicts.isEmpty && town[name] != form.typed[name]
                    #expect(!isLost)
                    if !wants { #expect(town[name] == before[name]) }
                    // Nobody's change is replaced unseen.
                    if before[name] != form.shown[name], before[name] != form.typed[name] {
                        #expect(town[name] == before[name])
                    }
                }
            }
        }
    }
}
