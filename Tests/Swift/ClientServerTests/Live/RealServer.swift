import Foundation
import TestSupport

@testable import SookeClient

/// The executable `sooke` with the sample town in a temporary folder, on a port that stays the same.
///
/// It must be killed before it is released.
final class RealServer {
    struct Failure: Error { let output: String }

    private let folder: URL
    private var data: String
    private let options: [String]
    private var process: ChildProcess?
    private(set) var baseURL = ""
    /// A token that may write everything.
    private(set) var token = ""

    private static let executable = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "sooke")
    private static let sample = ProjectFolder.file("data/sooke.json")

    /// Imports the town and starts the server.
    init(_ options: String...) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sooke-client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        data = folder.appending(path: "town").path
        self.options = options
        try Self.run("import", "--data", data, Self.sample.path)
        try Self.run("user", "add", "ada@town.example", "--role", "super_admin", "--name", "Ada", "--data", data)
        let made = try Self.run(
            "token", "create", "editor", "--for", "ada@town.example", "--scope", "admin", "--data", data)
        token = made.trimmingCharacters(in: .whitespacesAndNewlines)
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A client without an account.
    var client: APIClient { APIClient(baseURL: baseURL) }
    /// A client that may write.
    var editor: APIClient { client.authenticated(with: token) }
    /// Where a client saves its replica.
    var file: URL { folder.appending(path: "replica.json") }

    /// Starts the server, on the same port as before.
    func start() throws {
        let port = URL(string: baseURL)?.port ?? 0
        let process = try ChildProcess(
            Self.executable.path, ["serve", "--data", data, "--port", "\(port)", "--log", "off"] + options)
        self.process = process
        let text = try process.output(containing: ")\n")
        guard let url = text.firstMatch(of: /ready at (http:[^ ]*)/) else { throw Failure(output: text) }
        baseURL = String(url.1)
    }

    /// Kills the server: it cannot complete anything.
    func kill() {
        process?.kill()
        process = nil
    }

    /// The time of the last commit.
    func lastCommit() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: data).filter { $0.hasPrefix("wal-") }.sorted()
        let texts = try names.map { try String(contentsOfFile: "\(data)/\($0)", encoding: .utf8) }
        guard let last = texts.joined().matches(of: /"at":"([^"]*)"/).last else { throw Failure(output: "no commit") }
        return String(last.1)
    }

    /// Kills the server and starts it as it was at a time.
    func restore(_ moment: String) throws {
        kill()
        let other = folder.appending(path: "restored-\(UUID().uuidString)").path
        try Self.run("restore", "--data", data, "--at", moment, "--to", other)
        data = other
        try start()
    }

    @discardableResult
    private static func run(_ arguments: String...) throws -> String {
        try ChildProcess(executable.path, arguments).succeed()
    }
}

extension LiveChanges {
    /// A snapshot, as a new client gets it.
    static func wholeVersion(_ client: APIClient) async -> TownReplica {
        var replica = TownReplica()
        for await element in LiveChanges(client) {
            if replica.apply(element, at: Date()) { break }
        }
        return replica
    }
}
