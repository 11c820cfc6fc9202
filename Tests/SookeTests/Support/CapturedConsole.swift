import Foundation

@testable import sooke

/// Two files in which a program's standard output and standard error are caught.
final class CapturedConsole {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sooke-tests-\(UUID().uuidString)")
    private let output: OwnedDescriptor
    private let errors: OwnedDescriptor
    let console: Console

    init(_ variables: [String: String] = [:]) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        output = try .open(folder.appending(path: "output").path, O_RDWR | O_CREAT)
        errors = try .open(folder.appending(path: "errors").path, O_RDWR | O_CREAT)
        console = Console(
            output: output.descriptor, errors: errors.descriptor, environment: Environment(variables))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func outputText() throws -> String { try text("output") }
    func errorsText() throws -> String { try text("errors") }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
}
