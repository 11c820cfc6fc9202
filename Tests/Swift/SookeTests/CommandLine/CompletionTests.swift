import Foundation
import Testing

@testable import sooke

@Suite struct CompletionTests {
    static let programs = [Program.sooke, Sample.program]

    @Test(arguments: programs.indices)
    func bashUnderstandsIt(index: Int) throws {
        #expect(try shell("/bin/bash", ["-n"], input: Shell.bash.script(for: Self.programs[index])).isEmpty)
    }

    /// The words that bash has when Tab is pressed at the end of the last, and the completions.
    @Test(arguments: [
        (["sooke", ""], ["serve", "load", "help", "--help"]), (["sooke", "se"], ["serve"]),
        (["sooke", "serve", "--d"], ["--data", "--dry-run"]),
        (["sooke", "serve", "--format", ""], ["json", "ndjson", "csv"]),
        (["sooke", "serve", "--format", "=", "n"], ["ndjson"]),
        (["sooke", "serve", "--format", "="], ["json", "ndjson", "csv"]), (["sooke", "serve", "--port", ""], []),
        (["sooke", "serve", "--dry-run", "a fi"], ["a file.csv"]),
        (["sooke", "load", ""], ["a file.csv", "a folder"]), (["sooke", "load", "--data", ""], ["a folder"]),
        (["sooke", "serve", "--time-zone", "America/Vanc"], ["America/Vancouver"]),
        (["sooke", "help", ""], ["serve", "load", "help", "units"]),
    ])
    func bashOffers(words: [String], offers: [String]) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/a folder", withIntermediateDirectories: true)
        try folder.write("", to: "a file.csv")
        let list = words.map { "'\($0)'" }.joined(separator: " ")
        let script =
            Shell.bash.script(for: Sample.program) + """
                cd '\(folder.path)'
                COMP_WORDS=(\(list)) COMP_CWORD=\(words.count - 1)
                _sooke
                ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"

                """
        let lines = try shell("/bin/bash", ["--norc", "-s"], input: script).split(separator: "\n").map(String.init)
        #expect(lines.sorted() == offers.sorted())
    }

    /// The output of a shell for a script, errors included.
    private func shell(_ program: String, _ arguments: [String], input: String) throws -> String {
        let process = Process()
        let (standardInput, output) = (Foundation.Pipe(), Foundation.Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }
}
