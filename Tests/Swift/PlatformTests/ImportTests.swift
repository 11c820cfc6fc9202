import Foundation
import TestSupport
import Testing

/// The modules that the sources of a target import, read from the files of the repository.
@Suite struct ImportTests {
    private static let sources = ProjectFolder.file("Sources")

    /// Sources that the client uses too: they must build without Glibc and on other processors.
    private static let pure = ["Bytes", "JSON", "SookeModel"]

    @Test(arguments: pure) func whatClientsShareImportsNoSystem(target: String) throws {
        let files = try Self.swiftFiles(of: target)
        #expect(!files.isEmpty)
        for file in files {
            let others = try Self.imports(of: file).subtracting(Self.pure + ["Swift", "Synchronization"])
            #expect(others.isEmpty, "\(file.lastPathComponent) imports \(others.sorted())")
        }
    }

    /// What the server does not link, and so may use Foundation.
    private static let clients = ["SookeClient", "sooke-browse"]

    @Test func onlyPlatformImportsTheCLibrary() throws {
        let libraries: Set = ["CSystem", "Darwin", "Foundation", "FoundationNetworking", "Glibc", "Musl"]
        let targets = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        for target in targets where target != "Platform" {
            let allowed: Set = Self.clients.contains(target) ? ["Foundation", "FoundationNetworking"] : []
            for file in try Self.swiftFiles(of: target) {
                let found = try Self.imports(of: file).intersection(libraries).subtracting(allowed)
                #expect(found.isEmpty, "\(file.lastPathComponent) imports \(found.sorted())")
            }
        }
    }

    private static func swiftFiles(of target: String) throws -> [URL] {
        let folder = sources.appending(path: target)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
    }

    private static func imports(of file: URL) throws -> Set<String> {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        // What only the client on Apple's systems compiles.
        var isOfApple = false
        return Set(
            lines.compactMap { line in
                if line.hasPrefix("#") { isOfApple = line == "#if canImport(Darwin)" }
                if isOfApple { return nil }
                let words = line.split { $0 == " " || $0 == "." }
                guard let keyword = words.firstIndex(of: "import"), words[..<keyword].allSatisfy(isAttribute) else {
                    return nil
                }
                let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
                return words[(keyword + 1)...].first { !kinds.contains($0) }.map(String.init)
            })
    }

    /// The keywords that may precede `import`.
    private static func isAttribute(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal", "private", "fileprivate"].contains(word)
    }
}
