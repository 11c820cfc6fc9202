import Foundation
import SookeModel
import Testing

@testable import Store

/// A folder from an earlier version, with all values that requests and imports may no longer contain; made by
/// `Tests/Contract/earlier.py`.
@Suite struct EarlierFolderTests {
    private let folder = TemporaryFolder()

    @Test func allThatWasAcknowledgedIsRead() async throws {
        let archive = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Contract/earlier.tar.gz")
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/env")
        tar.arguments = ["tar", "-xzf", archive.path, "-C", folder.path, "--strip-components", "1"]
        try tar.run()
        tar.waitUntilExit()
        try #require(tar.terminationStatus == 0)
        let before = try await read()
        // First from the log, then from the snapshot that closing writes.
        #expect(try await read() == before)
    }

    private func read() async throws -> [String] {
        let store = try Store.open(folder.path, options: folder.options).store
        let community = store.current.community
        #expect(community.categories.inOrderOfID.filter { $0.value.name == "Cafés" }.count == 3)
        #expect(community.people[email: "ann,bob@town.example"] != nil)
        #expect(community.businesses[Slug("moving-19")]?.formerSlugs.count ?? 0 > 16)
        #expect(community.businesses[Slug("a/b?c#d")]?.value.email == "x,y@town.example")
        let large = try #require(community.businesses[Slug("large")]?.value)
        #expect(large.written.count > AccountLimits.standard.businessBytes)
        #expect(large.menus.map(\.name) == ["Lunch", "Lunch"])
        let maker = community.credentials.inOrderOfID.compactMap(\.createdBy).first { !community.people.has(id: $0) }
        #expect(maker != nil)
        #expect(community.passwords.count > 0 && community.receipts.count > 0)
        let written = lines(of: community)
        try await store.snapshot()
        try await store.close()
        return written
    }
}
