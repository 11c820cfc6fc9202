import Foundation
import Platform
import Testing

@testable import sooke

/// What root makes in a folder belongs to the folder's owner, and nothing else changes its owner.
@Suite(.enabled(if: UserIdentity.isRoot)) struct FolderOwnerTests {
    private let folder: TemporaryFolder
    private var town: String { "\(folder.path)/town" }

    init() throws {
        folder = try TemporaryFolder()
        for name in ["town", "town/quarantine", "outside"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
        }
        for name in ["town/manifest.json", "town/quarantine/rest", "outside/secret", "outside/linked"] {
            try folder.write("", to: name)
        }
        chown(town, 65_534, 65_534)
    }

    private func user(_ name: String) throws -> UInt32 {
        try FileDescriptor.workingFolder.status(of: "\(folder.path)/\(name)", followingLinks: false).user
    }

    private func take() throws {
        let open = try OwnedDescriptor.open(town, [.read, .folder])
        let owner = try #require(FolderOwner(of: open.descriptor))
        try owner.take(open.descriptor, at: town)
    }

    @Test func takesWhatRootMade() throws {
        try folder.write("", to: "town/other")
        chown("\(town)/other", 65_533, 65_533)
        try take()
        #expect(
            try ["town/manifest.json", "town/quarantine", "town/quarantine/rest"].map(user) == [65_534, 65_534, 65_534])
        #expect(try user("town/other") == 65_533)
    }

    /// The owner of the folder can put any name there while root works.
    @Test func followsNoLink() throws {
        let files = FileManager.default
        try files.createSymbolicLink(atPath: "\(town)/soft", withDestinationPath: "\(folder.path)/outside/secret")
        try files.createSymbolicLink(atPath: "\(town)/folder", withDestinationPath: "\(folder.path)/outside")
        try files.linkItem(atPath: "\(folder.path)/outside/linked", toPath: "\(town)/hard")
        try take()
        #expect(try ["outside", "outside/secret", "outside/linked"].map(user) == [0, 0, 0])
        #expect(try user("town/manifest.json") == 65_534)
    }

    /// The path leads elsewhere by now.
    @Test func worksInTheFolderThatIsOpen() throws {
        let open = try OwnedDescriptor.open(town, [.read, .folder])
        let owner = try #require(FolderOwner(of: open.descriptor))
        try FileManager.default.moveItem(atPath: town, toPath: "\(folder.path)/moved")
        try FileManager.default.createSymbolicLink(atPath: town, withDestinationPath: "\(folder.path)/outside")
        try owner.take(open.descriptor, at: town)
        #expect(try ["outside", "outside/secret"].map(user) == [0, 0])
        #expect(try user("moved/manifest.json") == 65_534)
    }
}
