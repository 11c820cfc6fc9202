import Bytes
import Journal
import SookeModel
import Testing

@testable import Exchange
@testable import Store

@Suite struct PostgresScriptTests {
    private static func script(_ town: Town, _ change: (inout PostgresOptions) -> Void = { _ in }) -> String {
        var options = PostgresOptions()
        change(&options)
        return String(decoding: Export(town, postgres: options).bytes(.postgres), as: UTF8.self)
    }

    @Test func itIsOneTransaction() throws {
        let script = Self.script(try TestTown.small().town)
        let statements = script.split(separator: "\n").map(String.init)
        let (begin, commit) = (
            try #require(statements.firstIndex(of: "BEGIN;")), try #require(statements.firstIndex(of: "COMMIT;"))
        )
        #expect(statements[..<begin].allSatisfy { $0.hasPrefix("--") || $0 == "\\set ON_ERROR_STOP on" })
        #expect(statements[(commit + 1)...].allSatisfy { $0.hasPrefix("ANALYZE ") })
    }

    @Test func sequencesGoPastAllIDsEverGiven() throws {
        var town = try TestTown.small()
        try town.take(
            #"{"businesses":[{"id":9,"name":"Gone","address":"1","latitude":1,"longitude":1}]}"#, as: "x.json")
        var transaction = WriteTransaction(town.town)
        try transaction.deleteBusiness(9)
        #expect(Self.script(transaction.town).contains("CALL sooke_given('businesses', 9)"))
    }

    @Test func privateRecordsAreLeftOutUnlessTheyAreWanted() throws {
        var town = try TestTown.small().town
        var credential = Credential()
        (credential.id, credential.digest) = (4, "planted-digest")
        let records: [AnyRecord] = [
            AnyRecord(credential), AnyRecord(PasswordRecord(of: 1, hash: "planted-hash", setAt: Timestamp.epoch)),
        ]
        for record in records { try town.apply(.put(record), at: nil) }
        let script = Self.script(town)
        #expect(!script.contains("planted") && script.contains("-- note: 2 private records left out"))
        let whole = Self.script(town) { $0.hasPrivateRecords = true }
        #expect(whole.contains("grant\t4\t{") && whole.contains("planted-digest") && whole.contains("planted-hash"))
        #expect(!whole.contains("private record"))
    }

    @Test func thePositionIsThatOfTheVersion() throws {
        let position = try #require(HistoryPosition("12.c3054850782bcfd3"))
        let version = Version(town: Town(), position: position, time: CommitTime(at: Timestamp(clampingSeconds: 1)))
        let script = Self.script(Town()) { $0.origin = .init(store: "ab", version) }
        #expect(script.contains("VALUES ('ab', 12, 'c3054850782bcfd3', '1970-01-01 00:00:01+00');"))
    }

    @Test func notesSayWhatTheTablesCannotHold() throws {
        var town = try TestTown.small()
        #expect(PostgresNotes.notes(atBeginningOf: Array("-- A town\n-- note: x".utf8)) == nil)
        try town.take(
            #"{"settings":[{"center":"48.37,-123.73"}],"businesses":[{"name":"Shed","address":"1","#
                + #""hours":[{"day_of_week":1,"open_time":"09:00","close_time":"12:00"},"#
                + #"{"day_of_week":1,"open_time":"13:00","close_time":"17:00"}],"former_slugs":["hut"]}],"#
                + #""users":[{"email":"ed@sooke.example","role":"editor"}],"events":[{"slug":"concert","submitted_by":null,"#
                + #""rrule":"FREQ=WEEKLY"}]}"#, as: "x.json")
        let notes = try #require(PostgresNotes.notes(atBeginningOf: Array(Self.script(town.town).utf8)))
        #expect(
            notes.dropFirst() == [
                "1 business without a location: there at the center of the town",
                "1 day with several openings: there from the first opening to the last closing",
                "1 business with former slugs: not there",
                "1 event in a series: there once, at the start of the series",
                "1 event without a submitter: there submitted by sooke:nobody, a user of the ID 0",
                "1 editor of public data: there with the role general_user",
                "3 users without a clerk_id: there with sooke: and the ID", "the settings of the town: not there",
            ])
    }
}
