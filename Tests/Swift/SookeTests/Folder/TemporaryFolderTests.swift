import Foundation
import Platform
import Testing

@testable import sooke

/// The folder of a demo, and those that killed demos have left.
@Suite struct TemporaryFolderTests {
    private let parent: TemporaryFolder
    private let files = FileManager.default

    init() throws {
        parent = try TemporaryFolder()
    }

    private var names: [String] {
        get throws { try files.contentsOfDirectory(atPath: parent.path).sorted() }
    }

    private func makeFolder(_ name: String) throws -> String {
        let path = "\(parent.path)/\(name)"
        try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test func isRemovedWithItsFiles() throws {
        do {
            let folder = try sooke.TemporaryFolder(in: parent.path)
            #expect(try names == [folder.path.split(separator: "/").last.map(String.init)])
            try parent.write("x", to: "\(folder.path.split(separator: "/").last ?? "")/a")
        }
        #expect(try names == [])
    }

    @Test func removesWhatAKilledProcessHasLeft() throws {
        try parent.write("x", to: "outside")
        let outside = try makeFolder("elsewhere")
        try parent.write("x", to: "elsewhere/a")
        let dead = try makeFolder("sooke-demo-dead/town/deep")
        try files.createSymbolicLink(atPath: "\(dead)/file", withDestinationPath: "\(parent.path)/outside")
        try files.createSymbolicLink(atPath: "\(dead)/folder", withDestinationPath: outside)
        try parent.write("x", to: "sooke-demo-dead/town/wal")
        _ = try sooke.TemporaryFolder(in: parent.path)
        #expect(try names == ["elsewhere", "outside"])
        #expect(try parent.text(of: "elsewhere/a") == "x")
    }

    @Test func leavesFoldersInUse() throws {
        let first = try sooke.TemporaryFolder(in: parent.path)
        try parent.write("x", to: "\(first.path.dropFirst(parent.path.count + 1))/a")
        _ = try sooke.TemporaryFolder(in: parent.path)
        #expect(try names == [String(first.path.dropFirst(parent.path.count + 1))])
        #expect(files.fileExists(atPath: "\(first.path)/a"))
    }

    /// A command may use the town of a demo that was killed.
    @Test func leavesATownInUse() throws {
        let town = try makeFolder("sooke-demo-dead/town")
        do {
            let lock = try OwnedDescriptor.open(town, [.read, .folder])
            try lock.descriptor.lock()
            _ = try sooke.TemporaryFolder(in: parent.path)
            #expect(files.fileExists(atPath: town))
        }
        _ = try sooke.TemporaryFolder(in: parent.path)
        #expect(try names == [])
    }

    @Test func leavesLinksAndOtherNames() throws {
        let other = try makeFolder("other")
        try parent.write("x", to: "other/a")
        try parent.write("x", to: "sooke-demo-file")
        try files.createSymbolicLink(atPath: "\(parent.path)/sooke-demo-link", withDestinationPath: other)
        _ = try sooke.TemporaryFolder(in: parent.path)
        #expect(try names == ["other", "sooke-demo-file", "sooke-demo-link"])
        #expect(try parent.text(of: "other/a") == "x")
    }

    @Test(.enabled(if: UserIdentity.isRoot, "only root can give a folder away"))
    func leavesFoldersOfOtherUsers() throws {
        let path = try makeFolder("sooke-demo-theirs")
        try files.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: path)
        _ = try sooke.TemporaryFolder(in: parent.path)
        #expect(try names == ["sooke-demo-theirs"])
    }
}
