import Foundation
import Platform

@testable import sooke

/// Captures a program's standard output and standard error in two files.
final class CapturedConsole {
    private let folder: TemporaryFolder
    private let output: OwnedDescriptor
    private let errors: OwnedDescriptor
    let console: Console

    init(_ variables: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        output = try .open("\(folder.path)/output", [.readWrite, .create])
        errors = try .open("\(folder.path)/errors", [.readWrite, .create])
        console = Console(
            output: output.descriptor, errors: errors.descriptor, environment: Environment(variables))
    }

    func outputText() throws -> String { try folder.text(of: "output") }
    func errorsText() throws -> String { try folder.text(of: "errors") }

    /// Runs a command on the town in a folder, on a thread of its own: it waits for tasks, which need the threads of the
    /// tests. Returns its exit code and all that it has written.
    static func run(_ words: [String], on folder: TemporaryFolder) async throws -> (code: ExitCode, said: String) {
        let captured = try CapturedConsole(["SOOKE_DATA": "\(folder.path)/town"])
        let console = captured.console
        let code = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<ExitCode, any Error>) in
            do {
                try Thread.start { continuation.resume(returning: Program.sooke.run(words, on: console)) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return (code, try captured.outputText() + captured.errorsText())
    }
}

/// A folder that is removed with its owner.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "sooke-tests-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }

    func text(of name: String) throws -> String {
        try String(contentsOf: URL(filePath: "\(path)/\(name)"), encoding: .utf8)
    }
}
