import Foundation
import HTTP
import Synchronization
import Testing

@testable import sooke

/// The command against a server in this process, over real sockets.
@Suite struct BenchCommandTests {
    /// What a server was asked.
    private final class Asked: Sendable {
        let lines = Mutex<Set<String>>([])
    }

    private func withServer(
        _ body: (_ address: String, _ asked: Asked) throws -> Void
    ) throws {
        let asked = Asked()
        let server = Server(
            configuration: ServerConfiguration(listeners: [.tcp(host: "127.0.0.1", port: 0)]),
            renderError: { _, _, _ in Response(.internalServerError) },
            responder: { request, writer in
                let body = String(decoding: request.body, as: UTF8.self)
                let path = String(decoding: request.path.encoded, as: UTF8.self)
                let token = request.headers.text("authorization").map { " \($0)" } ?? ""
                asked.lines.withLock { _ = $0.insert("\(request.method.name) \(path) \(body)\(token)") }
                writer.send(path == "/broken" ? Response(.internalServerError) : Response(.ok, body: Array("hi".utf8)))
            })
        let addresses = try server.start()
        defer {
            server.stop(drainSeconds: 0)
            server.wait()
        }
        try body("\(addresses[0])", asked)
    }

    private func run(_ words: [String], _ variables: [String: String] = [:]) throws -> (ExitCode, String, String) {
        let console = try CapturedConsole(variables)
        let code = Program.sooke.run(["bench"] + words, on: console.console)
        return (code, try console.outputText(), try console.errorsText())
    }

    /// On a machine that stands still for a moment, not all that is due within the second is started: the rest is told.
    @Test func asksAndCounts() throws {
        struct Report: Decodable {
            let requests, seconds, unanswered: Int
            let statuses: [String: Int]
        }
        try withServer { address, asked in
            let (code, output, _) = try run(
                [
                    "--seconds", "1", "--connections", "3", "--rate", "50", "--method", "PUT", "--body", "{n}",
                    "--format", "json", "\(address)/a",
                ], ["SOOKE_TOKEN": "secret"])
            #expect(code == .success)
            let report = try JSONDecoder().decode(Report.self, from: Data(output.utf8))
            #expect(report.seconds == 1)
            try #require(report.requests > 0 && report.requests + report.unanswered == 50, "\(output)")
            #expect(report.statuses == ["200": report.requests], "\(output)")
            #expect(asked.lines.withLock { $0 } == Set((1...report.requests).map { "PUT /a \($0) Bearer secret" }))
        }
    }

    @Test func drawsFromAFile() throws {
        try withServer { address, asked in
            let folder = try TemporaryFolder()
            try folder.write("/one\n\n/two-{4..4}\n", to: "targets")
            let (code, output, _) = try run(["--seconds", "1", "--targets", "\(folder.path)/targets", address])
            #expect(code == .success)
            #expect(output.contains("\nfailures    none\n"), "\(output)")
            #expect(asked.lines.withLock { $0 } == ["GET /one ", "GET /two-4 "])
        }
    }

    @Test func endsBadlyWhenTheServerDoes() throws {
        try withServer { address, asked in
            let (code, output, errors) = try run(
                ["--seconds", "1", "--rate", "20", "--body", "{n}", "--method", "PUT", "\(address)/broken"])
            let count = asked.lines.withLock { $0.count }
            #expect(code == .unavailable)
            #expect(output.contains("statuses    500: \(count)\n"), "\(output)")
            #expect(errors.hasSuffix("sooke: \(count) answers were 500 or above\n"), "\(errors)")
        }
    }

    @Test func saysThatNobodyListens() throws {
        var port = ""
        try withServer { address, _ in port = address }
        let (code, output, errors) = try run([port])
        #expect(code == .unavailable && output.isEmpty)
        #expect(errors.hasPrefix("sooke: nobody answers at 127.0.0.1:"), "\(errors)")
    }

    /// A command line that is not right, and what it says.
    @Test(arguments: [
        (["--targets", "/nowhere/at/all", "http://127.0.0.1:1/"], ExitCode.noInput, "cannot open /nowhere/at/all"),
        (["--header", "Accept", "http://127.0.0.1:1/"], .usage, "--header is no field"),
        (["--method", "FETCH", "http://127.0.0.1:1/"], .usage, "--method takes"),
        (["http://127.0.0.1:1/{2..1}"], .usage, "{2..1} is no range"),
        (["--connections", "0", "http://127.0.0.1:1/"], .usage, "--connections takes"),
    ])
    func refuses(words: [String], code: ExitCode, message: String) throws {
        let (found, _, errors) = try run(words)
        #expect(found == code)
        #expect(errors.contains(message), "\(errors)")
    }
}
