import JSON
import Journal
import SookeModel
import TestSupport
import Testing

@testable import Store

@Suite struct CommitActTests {
    private static let undone = CommitPosition("812.8f3c5a7790d1e2b4")

    @Test(
        arguments: [
            (CommitAct.importing(["menu.csv"]), #"{"verb":"import","file":"menu.csv"}"#),
            (.importing(["/tmp/a b/menu.csv", "events.ics"]), #"{"verb":"import","file":"menu.csv, events.ics"}"#),
            (.importing([]), #"{"verb":"import"}"#),
            (CommitAct(verb: "undo", undone: undone), #"{"verb":"undo","sequence":812,"chain":"8f3c5a7790d1e2b4"}"#),
        ])
    func itReadsAsItWasWritten(act: CommitAct, text: String) throws {
        var writer = JSONWriter()
        act.write(to: &writer)
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
        #expect(try Self.read(text) == act)
    }

    /// What other versions of the program write is no reason to refuse a start.
    @Test(arguments: [
        (#"{"verb":"merge","of":[1,{"a":2}]}"#, CommitAct(verb: "merge")),
        (#"{"verb":"undo","sequence":-1,"chain":"no chain"}"#, CommitAct(verb: "undo")),
        (#"{"verb":"undo","sequence":812}"#, CommitAct(verb: "undo")), ("{}", CommitAct(verb: "")),
    ])
    func anotherOneIsRead(text: String, act: CommitAct) throws {
        #expect(try Self.read(text) == act)
    }

    @Test func itIsBounded() {
        let act = CommitAct(verb: String(repeating: "v", count: 1000), file: String(repeating: "é", count: 200))
        #expect(act.verb.utf8.count == 32 && act.file == String(repeating: "é", count: 127))
    }

    /// In the log only where there is one; and the same for readers from memory, from the log and of `sooke log`.
    @Test func everyReaderOfCommitsHasIt() async throws {
        let folder = TemporaryFolder()
        let act = CommitAct.importing(["menu.csv"])
        var store = try Store.open(folder.path, options: folder.options).store
        let start = store.current.position
        for name in ["Bars", "Cafés"] {
            _ = try await store.write(by: .person(1), act: name == "Bars" ? nil : act) { transaction in
                try transaction.create(TransactionTown.patch(Category.self, #"{"name":"\#(name)"}"#))
            }
        }
        for _ in 1...2 {
            let commits = try #require(store.current.commits(after: start))
            #expect(commits.map { $0.changeSet?.act } == [nil, act])
            let texts = commits.map { String(decoding: $0.payload, as: UTF8.self) }
            #expect(!texts[0].contains("act"))
            #expect(texts[1].contains(#""by":"person:1","act":{"verb":"import","file":"menu.csv"},"changes":[{"#))
            var lines = try #require(try CommitLines(after: start, of: store, in: store.current))
            var reader = CommitLineReader()
            reader.append(lines.head + (try lines.next(in: store.current) ?? []))
            var acts: [CommitAct?] = []
            while let line = try reader.next() {
                if case .commit(let commit) = line { acts.append(try ChangeSet(commit).act) }
            }
            #expect(acts == [nil, act])
            try await store.close()
            store = try Store.open(folder.path, options: folder.options).store
        }
        try await store.close()
    }

    private static func read(_ text: String) throws -> CommitAct {
        var reader = JSONReader(Array(text.utf8))
        defer { #expect(throws: Never.self) { try reader.finish() } }
        return try CommitAct(from: &reader)
    }
}
