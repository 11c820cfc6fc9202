import Foundation
import Platform
import Testing

@testable import sooke

@Suite struct BackupDestinationTests {
    private let folder: TemporaryFolder
    private var data: String { "\(folder.path)/data" }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["data", "data/quarantine", "elsewhere"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
        }
        try folder.write("old", to: "elsewhere/town.json")
        try folder.write("{}", to: "data/manifest.json")
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/\(name)", withDestinationPath: target)
    }

    /// Where a name in the folder leads: a path in the folder, `stream`, or the code of an error.
    private func destination(_ name: String) throws -> String {
        do throws(CommandError) {
            switch try BackupDestination(name.hasPrefix("/") ? name : "\(folder.path)/\(name)", outside: data) {
            case .file(let path):
                let real = try? FileDescriptor.realPath(of: folder.path)
                return path.replacing("\(real ?? "")/", with: "").replacing("\(folder.path)/", with: "")
            case .stream: return "stream"
            }
        } catch {
            return "\(error.code)"
        }
    }

    @Test func followsLinks() throws {
        try link("one", to: "elsewhere/town.json")
        try link("two", to: "one")
        try link("elsewhere/new", to: "../elsewhere/other.json")
        try link("folder", to: "elsewhere")
        try link("round", to: "round")
        for (name, expected) in [
            ("town.json", "town.json"), ("elsewhere/town.json", "elsewhere/town.json"),
            ("one", "elsewhere/town.json"), ("two", "elsewhere/town.json"),
            ("folder/town.json", "folder/town.json"), ("elsewhere", "usage"), ("folder", "usage"),
            ("round", "inputOutput"), ("nowhere/town.json", "noInput"), ("elsewhere/town.json/x", "noInput"),
        ] {
            #expect(try destination(name) == expected, "\(name)")
        }
        #expect(try destination("elsewhere/new").hasSuffix("elsewhere/other.json"))
    }

    @Test func writesIntoWhatIsNoFile() throws {
        try link("null", to: "/dev/null")
        #expect(try destination("/dev/null") == "stream")
        #expect(try destination("null") == "stream")
        mkfifo("\(folder.path)/pipe", 0o600)
        let reader = try OwnedDescriptor.open("\(folder.path)/pipe", [.read, .nonBlocking])
        #expect(try destination("pipe") == "stream")
        _ = consume reader
    }

    /// For any names of the folder and of the file.
    @Test func refusesTheDataFolder() throws {
        try link("manifest", to: "data/manifest.json")
        try link("new", to: "data/new.json")
        try link("alias", to: "data")
        try link("elsewhere/inner", to: "../data/quarantine")
        for name in [
            "data/manifest.json", "data/town.json", "data/quarantine/town.json", "manifest", "new", "alias/town.json",
            "elsewhere/inner/town.json", "elsewhere/../data/town.json", "data/../data/town.json",
        ] {
            #expect(try destination(name) == "usage", "\(name)")
        }
        #expect(try destination("data/../town.json") == "data/../town.json")
    }
}
