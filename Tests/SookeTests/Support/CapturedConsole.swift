import Foundation

@testable import sooke

/// Two files in which a program's standard output and standard error are caught.
final class CapturedConsole {
    private let folder: TemporaryFolder
    private let output: OwnedDescriptor
    private let errors: OwnedDescriptor
    let console: Console

    init(_ variables: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        output = try .open("\(folder.path)/output", O_RDWR | O_CREAT)
        errors = try .open("\(folder.path)/errors", O_RDWR | O_CREAT)
        console = Console(
            output: output.descriptor, errors: errors.descriptor, environment: Environment(variables))
    }

    func outputText() throws -> String { try folder.text(of: "output") }
    func errorsText() throws -> String { try folder.text(of: "errors") }
}
