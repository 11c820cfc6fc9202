import Bytes
import Journal
import Store
import Testing

@testable import Exchange

@Suite struct PostgresFollowerTests {
    private static let start = CommitPosition("7.00000000000000aa")
    private static let store = String(repeating: "5", count: 32)

    /// The lines of a log with some commits, each the text of its changes.
    private static func log(_ commits: [String], behind: Int = 0) throws -> [UInt8] {
        var position = try #require(start)
        var text = #"{"format":"sooke-commits/1","store":"\#(store)","after":"\#(position)"}"# + "\n"
        for changes in commits {
            let payload = #""at":"2026-11-21T09:30:00Z","by":"local","changes":[\#(changes)]"#
            text += "{\"seq\":\(position.sequence + 1),\(payload)}\n"
            position = position.advanced(by: Array(payload.utf8).span)
        }
        return Array((text + #"{"position":"\#(position)","at":"x","behind":\#(behind)}"# + "\n").utf8)
    }

    private static func script(_ log: [UInt8], pieces: Int = 1, hasPrivateRecords: Bool = false) throws -> String {
        var follower = PostgresFollower(hasPrivateRecords: hasPrivateRecords)
        var text: [UInt8] = []
        for part in stride(from: 0, to: log.count, by: max(1, log.count / pieces)) {
            try follower.read(Array(log[part..<min(part + max(1, log.count / pieces), log.count)])) { text += $0 }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func category(_ id: Int, _ slug: String, was: String?) -> String {
        #"{"category":{"id":\#(id),"name":"\#(slug)","slug":"\#(slug)"}\#(was.map { #","was":{"slug":"\#($0)"}"# } ?? "")}"#
    }

    private func lines(of script: String, holding text: String) -> [Int] {
        script.split(separator: "\n", omittingEmptySubsequences: false).enumerated().filter {
            $0.element.contains(text)
        }
        .map(\.offset)
    }

    @Test(arguments: [1, 2, 7, 100])
    func aTransactionMovesThePositionToTheOneOfItsCommits(pieces: Int) throws {
        let log = try Self.log([Self.category(1, "a", was: nil), Self.category(2, "b", was: nil)])
        let script = try Self.script(log, pieces: pieces)
        let reached = String(decoding: log, as: UTF8.self).split(separator: "\"position\":\"")[1].prefix { $0 != "\"" }
        #expect(script.contains("CALL sooke_advance('\(Self.store)', '7.00000000000000aa', '\(reached)', '2026-11-21"))
        #expect(lines(of: script, holding: "BEGIN\\;").count == 1 && lines(of: script, holding: "COMMIT;").count == 1)
        #expect(script.hasPrefix("\\set ON_ERROR_STOP on\n") && script.hasSuffix("COMMIT;\n"))
        #expect(!script.contains("synchronous_commit"))
    }

    @Test func onlyWhatIsBehindIsNotDurableAtOnce() throws {
        let script = try Self.script(Self.log([Self.category(1, "a", was: nil)], behind: 3))
        #expect(script.contains("SET LOCAL synchronous_commit = off"))
    }

    @Test func withoutCommitsThereIsNoTransaction() throws {
        let script = try Self.script(Self.log([]))
        #expect(!script.contains("BEGIN\\;") && script.hasSuffix("-- at 7.00000000000000aa\n"))
    }

    /// Both slugs are freed before either is taken, and a business is looked up after both.
    @Test func slugsThatAreSwappedInOneCommitGetAPlaceholder() throws {
        let business =
            #"{"business":{"id":4,"name":"P","slug":"p","category":"b","address":"x","latitude":1,"longitude":2}}"#
        let script = try Self.script(
            Self.log(["\(business),\(Self.category(1, "b", was: "a")),\(Self.category(2, "a", was: "b"))"]))
        let placeholder = lines(of: script, holding: "UPDATE business_categories SET name = E'\\\\001' || id")
        let taken = lines(of: script, holding: "\tbusiness_categories\t{")
        let lookup = lines(of: script, holding: "\tbusinesses\t{\"4\",NULL,\"b\",")
        #expect(placeholder.count == 1 && taken.count == 2 && lookup.count == 1)
        #expect(placeholder[0] < taken[0] && taken[1] < lookup[0])
    }

    @Test func aSingleChangeOfASlugNeedsNone() throws {
        #expect(!(try Self.script(Self.log([Self.category(1, "b", was: "a")])).contains("\\\\001")))
    }

    @Test func ofSeveralChangesOfARecordTheLastCounts() throws {
        let script = try Self.script(
            Self.log(["\(Self.category(1, "x", was: "a")),\(Self.category(1, "c", was: "x"))"]))
        #expect(lines(of: script, holding: "\tbusiness_categories\t{").count == 1)
        #expect(script.contains("\"c\"") && !script.contains("\"x\""))
    }

    @Test func whatIsDeletedComesLast() throws {
        let gone = #"{"deleted":"category","id":1,"was":{"id":1,"name":"a","slug":"a"}}"#
        let script = try Self.script(Self.log(["\(gone),\(Self.category(2, "a", was: nil))"]))
        let (freed, taken) = (
            lines(of: script, holding: "SET name = E'\\\\001'"),
            lines(of: script, holding: "\tbusiness_categories\t{\"2\",")
        )
        let deleted = lines(of: script, holding: "DELETE FROM business_categories WHERE id = 1")
        #expect(freed.count == 1 && taken.count == 1 && deleted.count == 1)
        #expect(freed[0] < taken[0] && taken[0] < deleted[0])
        #expect(script.contains("DELETE FROM sooke_documents WHERE kind = 'category' AND id = 1"))
    }

    /// A row of a record or part that is new must not be there, unless another record of the commit had it.
    @Test func whatIsNewReplacesNothing() throws {
        let menu = #"{"id":31,"name":"m","items":[{"id":41,"name":"i","price":"1.00"}]}"#
        func business(_ id: Int, menus: String = "", was: String) -> String {
            #"{"business":{"id":\#(id),"name":"P","slug":"p\#(id)","address":"x","menus":[\#(menus)]}\#(was)}"#
        }
        func isNew(_ changes: String, _ row: String) throws -> Bool? {
            let script = try Self.script(Self.log([changes]))
            let line = lines(of: script, holding: "\t\(row)\",").first
            return line.map { script.split(separator: "\n", omittingEmptySubsequences: false)[$0].hasSuffix("\tt") }
        }
        #expect(try isNew(Self.category(1, "a", was: nil), "business_categories\t{\"1") == true)
        #expect(try isNew(Self.category(1, "a", was: "b"), "business_categories\t{\"1") == false)
        let twice = "\(Self.category(1, "b", was: nil)),\(Self.category(1, "a", was: "b"))"
        #expect(try isNew(twice, "business_categories\t{\"1") == true)
        let added = business(4, menus: menu, was: #","was":{"menus":[]}"#)
        #expect(try isNew(added, "businesses\t{\"4") == false)
        #expect(try isNew(added, "menus\t{\"31") == true)
        #expect(try isNew(added, "menu_items\t{\"41") == true)
        let merged =
            #"{"deleted":"business","id":3,"was":{"id":3,"name":"Q","slug":"q","address":"y","menus":[\#(menu)]}}"#
        #expect(try isNew("\(merged),\(added)", "menus\t{\"31") == false)
        #expect(try isNew("\(merged),\(added)", "menu_items\t{\"41") == false)
    }

    /// Of a record that a commit makes and deletes, nothing is there; a row with its ID is another one.
    @Test func whatWasNeverThereIsNotDeleted() throws {
        let gone = #"{"deleted":"category","id":1,"was":{"id":1,"name":"a","slug":"a"}}"#
        let script = try Self.script(Self.log(["\(Self.category(1, "a", was: nil)),\(gone)"]))
        #expect(!script.contains("DELETE FROM business_categories"))
    }

    /// The log of Postgres has the text of statements, and not what `COPY` reads. What takes the lock is one message.
    @Test func rowsAreNotInStatements() throws {
        let parts = try Self.script(Self.log([Self.category(1, "abc", was: nil)])).split(separator: "\nBEGIN\\;\n")
        let lines = try #require(parts.last).split(separator: "\n")
        let copy = try #require(lines.firstIndex(of: "COPY pg_temp.sooke_steps FROM stdin;"))
        let end = try #require(lines.firstIndex(of: "\\."))
        #expect(lines[..<copy].joined().contains("abc") == false && lines[copy..<end].joined().contains("abc"))
        #expect(
            lines[end...].dropFirst().map { $0.prefix(12) + $0.suffix(2) } == [
                "CALL sooke_a\\;", "CALL pg_temp\\;", "COMMIT;T;",
            ])
    }

    @Test(arguments: [false, true])
    func privateRecordsAreLeftOutUnlessTheyAreWanted(isWanted: Bool) throws {
        let password = #"{"password":{"id":1,"hash":"$y$secret"}}"#
        let script = try? Self.script(Self.log([password]), hasPrivateRecords: isWanted)
        #expect(script?.contains("$y$secret") == isWanted)
        #expect(script?.contains("CALL sooke_advance") == true, "the position moves")
    }

    @Test func aLogThatWasChangedGivesNoTransaction() throws {
        let log = try Self.log([Self.category(1, "abc", was: nil)])
        let place = try #require(log.firstRange(of: Array("abc".utf8))).lowerBound
        var changed = log
        changed[place] = UInt8(ascii: "x")
        var text: [UInt8] = []
        var follower = PostgresFollower(hasPrivateRecords: true)
        #expect(throws: CommitLineReader.Failure.self) { try follower.read(changed) { text += $0 } }
        #expect(!String(decoding: text, as: UTF8.self).contains("BEGIN\\;"))
    }
}
