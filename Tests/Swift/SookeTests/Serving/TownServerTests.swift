import Foundation
import Platform
import Service
import Testing

@testable import sooke

/// A server that cannot start.
@Suite struct TownServerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Creates the server of a command line, and returns the exit code and standard error.
    private func start(_ options: String...) throws -> (code: ExitCode, errors: String) {
        let captured = try CapturedConsole()
        let environment = Environment([:])
        let given = try ArgumentParser.parse(options, for: .serve, environment: environment)
        let invocation = Invocation(console: captured.console, given: given)
        do {
            let settings = try TownServer.Settings(invocation, folder: "\(folder.path)/town")
            try invocation.serve(settings) { settings, console throws(CommandError) in
                _ = try TownServer(settings, console: console)
            }
            return (.success, try captured.errorsText())
        } catch let code as ExitCode {
            return (code, try captured.errorsText())
        } catch let error as CommandError {
            captured.console.report(error)
            return (error.code, try captured.errorsText())
        }
    }

    /// The reason for the end of a server is in the format of its log.
    @Test func anAddressOfAnotherMachine() throws {
        let message = "this machine has no address 192.0.2.1 port 0: use 127.0.0.1, or 0.0.0.0 for all of its own"
        let text = try start("--host", "192.0.2.1", "--port", "0")
        #expect(text.code == .unavailable)
        #expect(text.errors == "sooke: \(message)\n")
        let json = try start("--host", "192.0.2.1", "--port", "0", "--log", "json")
        #expect(json.code == .unavailable)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.errors.utf8)) as? [String: Any])
        #expect(object["level"] as? String == "error")
        #expect(object["message"] as? String == message)
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/town"))
    }

    @Test(arguments: [
        ("PST", "did you mean America/Vancouver?"), ("EST", "did you mean America/Toronto?"),
        ("america/vancouver", "did you mean America/Vancouver?"),
        ("Nowhere", "write a name such as America/Vancouver"),
    ])
    func aTimeZoneThatIsNone(zone: String, advice: String) throws {
        let result = try start("--port", "0", "--time-zone", zone)
        #expect(result.code == .usage)
        #expect(result.errors == "sooke: --time-zone: invalid time zone: \"\(zone)\"; \(advice)\n")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/town"))
    }
}
