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
}
