import Foundation
import SookeModel
import TestSupport
import Testing

@testable import Store

/// A folder from an earlier version, with all values that requests and imports may no longer contain; see
/// `Tests/Binary/Contract/earlier.py`.
@Suite struct EarlierFolderTests {
    private let folder = TemporaryFolder()

    @Test func allThatWasAcknowledgedIsRead() async throws {
        let archive = ProjectFolder.file("Tests/Binary/Contract/earlier.tar.gz")
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
        let town = store.current.town
        #expect(town.categories.inOrderOfID.filter { $0.value.name == "Cafés" }.count == 3)
        #expect(town.people[email: "ann,bob@town.example"] != nil)
        #expect(town.businesses[Slug("moving-19")]?.formerSlugs.count ?? 0 > 16)
        #expect(town.businesses[Slug("a/b?c#d")]?.value.email == "x,y@town.example")
        let large = try #require(town.businesses[Slug("large")]?.value)
        #expect(large.written.count > AccountLimits.standard.businessBytes)
        #expect(large.menus.map(\.name) == ["Lunch", "Lunch"])
        let maker = town.credentials.inOrderOfID.compactMap(\.createdBy).first { !town.people.has(id: $0) }
        #expect(maker != nil)
        #expect(town.passwords.count > 0 && town.receipts.count > 0)
        let written = lines(of: town)
        try await store.snapshot()
        try await store.close()
        return written
    }
}
