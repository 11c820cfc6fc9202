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
        ("--snapshot-interval 0.5", "--snapshot-interval takes a number of minutes from 1 to 525600, not \"0.5\""),
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
