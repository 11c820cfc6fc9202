import Foundation
import JSON
import Journal
import SookeModel
import TestSupport
import Testing

@testable import Store

/// Reads a folder of each version of the format; see `Tests/Generators/Formats/make.py`. What can be read once must always be
/// readable.
@Suite struct FormatsTests {
    private static let folder = ProjectFolder.file("Tests/Generators/Formats")
    static let names: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.filter { $0.hasSuffix(".tar.gz") } ?? []

    @Test func thereAreSome() {
        #expect(!Self.names.isEmpty)
    }

    @Test(arguments: names) func theTownIsTheOneThatWasWritten(_ name: String) async throws {
        let work = TemporaryFolder()
        try Self.unpack(name, to: work.path)
        let local = try Self.export(in: work.path) { $0.settled(in: .utc) }
        var expected = try Self.export(in: work.path)
        let data = work.path + "/data"
        #expect(try FolderSurvey(of: data).report.findings == [])
        var privateCounts: [Int] = []
        // First from the log, then from the snapshot that closing writes.
        for _ in 1...2 {
            let store = try Store.open(data, options: work.options).store
            let town = store.current.town
            #expect(Self.shared(town) == expected)
            try await store.settleTimes()
            #expect(Self.shared(store.current.town) == local)
            expected = local
            let counts = [RecordKind.password, .credential, .receipt].map(town.count(of:))
            #expect(counts.allSatisfy { $0 > 0 })
            #expect(privateCounts.isEmpty || privateCounts == counts)
            privateCounts = counts
            try await store.close()
        }
        #expect(try FolderSurvey(of: data).report.findings == [])
    }

    @Test(arguments: names) func aBackupIsRestored(_ name: String) async throws {
        let work = TemporaryFolder()
        try Self.unpack(name, to: work.path)
        let copy = try FolderCopy(
            ofSnapshot: work.path + "/backup.json", to: work.path + "/restored", now: work.options.now())
        let store = try Store.open(copy.lockedFolder, options: work.options)
        #expect(Self.shared(store.current.town) == (try Self.export(in: work.path)))
        try await store.close()
        try copy.complete()
    }

    /// What the first start makes is, byte for byte, what the earlier program has made of the same state; and a start
    /// from it gives the same town.
    @Test(arguments: names.filter { $0.hasPrefix("3-") }) func theBackupIsTheOneOfTheEarlierProgram(
        _ name: String
    ) async throws {
        let work = TemporaryFolder()
        try Self.unpack(name, to: work.path)
        let (store, report) = try Store.open(work.path + "/data", options: work.options)
        let backup = try #require(store.formatBackup)
        #expect(backup.hasSuffix("/data/before-format-4.json"))
        #expect(report.warnings.last?.kind == .upgraded && report.oldestFormat == 3)
        let bytes = try Data(contentsOf: URL(filePath: backup))
        #expect(bytes.starts(with: Data(#"{"format":"sooke/3","#.utf8)))
        #expect(try bytes == Data(contentsOf: URL(filePath: work.path + "/backup.json")))
        let (town, origin) = try Town.inBackup(backup)
        #expect(Self.shared(town) == (try Self.export(in: work.path)) && origin.position == store.current.position)
        try await store.close()
        #expect(try FolderSurvey(of: work.path + "/data").report.findings == [])
    }

    /// Commits of the newest version follow those of an older one.
    @Test(arguments: names) func anOlderFolderIsWrittenOn(_ name: String) async throws {
        let work = TemporaryFolder()
        try Self.unpack(name, to: work.path)
        let data = work.path + "/data"
        let store = try Store.open(data, options: work.options).store
        let (before, pub) = (store.current.position, try #require(store.current.town.businesses[1]))
        _ = try await store.write(by: .local) { transaction in
            try transaction.update(pub.id, TransactionTown.patch(Business.self, #"{"phone":"new"}"#))
        }
        let after = store.current.position
        #expect(before.sequence + 1 == after.sequence && before.chain != after.chain)
        let changed = try #require(store.current.town.businesses[1]?.times)
        #expect(changed.created == pub.times.created && changed.updated == store.current.time.clock)
        let history = try await store.history(of: .business, id: 1).entries
        #expect(history.first?.fields.map(\.name) == ["phone"])
        #expect(history.last?.action == .created && history.count > 3)
        try await store.close()
        #expect(try FolderSurvey(of: data).report.findings == [])

        // States on both sides of the change of versions.
        for sequence in [before.sequence - 1, before.sequence, after.sequence] {
            let copy = try FolderCopy(
                of: sequence, from: FolderSurvey(of: data), to: "\(work.path)/\(sequence)", keepingRest: false,
                now: work.options.now())
            let copied = try Store.open(copy.lockedFolder, options: work.options)
            #expect(copied.current.sequence == sequence)
            if sequence == after.sequence { #expect(copied.current.position == after) }
            try await copied.close()
            try copy.complete()
            #expect(try FolderSurvey(of: "\(work.path)/\(sequence)").report.findings == [])
        }
    }

    /// The lines of an export, without its first and last; those of events with the fields that they have now.
    private static func export(in folder: String, _ change: (Event) -> Event? = { _ in nil }) throws -> [String] {
        let text = try String(contentsOfFile: folder + "/export.json", encoding: .utf8)
        return try text.split(separator: "\n").dropFirst().dropLast().map { line in
            guard line.contains(#""event_type":"#) else { return String(line) }
            var reader = JSONReader(Array(line.utf8.dropLast(line.hasSuffix(",") ? 1 : 0)))
            let event = try Event(stored: &reader)
            return String(decoding: (change(event) ?? event).written, as: UTF8.self) + (line.hasSuffix(",") ? "," : "")
        }
    }

    private static func shared(_ town: Town) -> [String] {
        var lines: [String] = []
        town.forEachLine(whole: false) { lines.append(String(decoding: $0, as: UTF8.self)) }
        return lines
    }

    static func unpack(_ name: String, to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/env")
        tar.arguments = ["tar", "-xzf", Self.folder.appending(path: name).path, "-C", folder, "--no-same-owner"]
        try tar.run()
        tar.waitUntilExit()
        try #require(tar.terminationStatus == 0)
    }
}
