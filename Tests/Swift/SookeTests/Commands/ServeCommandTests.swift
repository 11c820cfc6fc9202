import Bytes
import Platform
import Store
import Testing

@testable import sooke

/// The settings from the options of `sooke serve`.
@Suite struct ServeCommandTests {
    private func settings(_ line: String, for command: Command = .serve) throws -> TownServer.Settings {
        let environment = Environment([:])
        let given = try ArgumentParser.parse(
            line.split(separator: " ").map(String.init), for: command, environment: environment)
        let invocation = Invocation(console: Console(environment: environment), given: given)
        return try TownServer.Settings(invocation, folder: "town")
    }

    @Test(
        arguments: [
            ("", 64 << 20, 3600, nil),
            ("--snapshot-size 1 --snapshot-interval 1 --keep-history 0", 1 << 20, 60, 0),
            (
                "--snapshot-size 65536 --snapshot-interval 525600 --keep-history 36500", 64 << 30, 31_536_000,
                3_153_600_000
            ),
        ] as [(String, Int, Int, Int?)])
    func snapshots(line: String, bytes: Int, seconds: Int, history: Int?) throws {
        let settings = try settings(line)
        #expect(settings.snapshotBytes == bytes)
        #expect(settings.snapshotInterval == .seconds(seconds))
        #expect(settings.historyRetentionSeconds == history)
    }

    @Test func theSizeOfTheHistory() throws {
        #expect(try settings("--keep-history-size 256").historyLimitBytes == 256 << 20)
        #expect(throws: CommandError.self) { try settings("--keep-history-size 255") }
    }

    @Test func theDefaultsAreThoseOfTheStore() throws {
        let options = StoreOptions(now: { .epoch }, onFailure: { _ in })
        for settings in [try settings(""), try settings("", for: .demo)] {
            #expect(settings.snapshotBytes == options.snapshotBytes)
            #expect(settings.snapshotInterval == options.snapshotInterval)
            #expect(settings.historyRetentionSeconds == nil, "what the folder says")
            #expect(settings.historyLimitBytes == nil, "what the folder says")
            #expect(options.journal.pruning == .never, "only a server drops history")
        }
    }

    @Test(
        arguments: [
            ("", nil, false),
            ("--now 2027-06-01T08:00:00Z", .moment(Timestamp(rfc3339: "2027-06-01T08:00:00Z")!), false),
            ("--now 2027-06-01", .day(CivilDate(year: 2027, month: 6, day: 1)!), false),
            ("--now 2027-06-01 --now-ticks", .day(CivilDate(year: 2027, month: 6, day: 1)!), true),
        ] as [(String, ClockStart?, Bool)])
    func clocks(line: String, now: ClockStart?, ticks: Bool) throws {
        for settings in [try settings(line), try settings(line, for: .demo)] {
            #expect(settings.now == now)
            #expect(settings.clockTicks == ticks)
        }
    }

    @Test(arguments: [
        ("--now-ticks", "--now-ticks needs --now TIME"),
        (
            "--now 2027-02-29",
            "--now takes a time such as 2026-11-21T09:30:00Z, or a date such as 2026-11-21, not \"2027-02-29\""
        ),
        (
            "--cors-origin https://town.example/",
            "--cors-origin takes an origin such as https://town.example, not \"https://town.example/\"; "
                + "write https://town.example"
        ),
        ("--snapshot-size 0", "--snapshot-size takes a number of MiB from 1 to 65536, not \"0\""),
        ("--snapshot-size 64MiB", "--snapshot-size takes a number of MiB from 1 to 65536, not \"64MiB\""),
        ("--snapshot-size 65537", "--snapshot-size takes a number of MiB from 1 to 65536, not \"65537\""),
        (
            "--snapshot-interval 0.5",
            "--snapshot-interval takes a number of minutes from 1 to 525600, not \"0.5\""
        ),
        ("--keep-history=-1", "--keep-history takes a number of days from 0 to 36500, not \"-1\""),
        ("--keep-history +1", "--keep-history takes a number of days from 0 to 36500, not \"+1\""),
        (
            "--keep-history 99999999999999999999",
            "--keep-history takes a number of days from 0 to 36500, not \"99999999999999999999\""
        ),
    ])
    func refuses(line: String, message: String) {
        #expect(throws: CommandError(.usage, message)) { try settings(line) }
    }
}
