import Bytes
import Foundation
import Synchronization
import Testing

@testable import Store

@Suite struct PointInTimeTests {
    private static let start = 1_795_253_400

    /// A town with a commit at each of these seconds after the start.
    private func makeTown(_ seconds: [Int], snapshotsAfter: Set<Int> = []) async throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try await write(seconds, to: folder, snapshotsAfter: snapshotsAfter)
        return folder
    }

    private func write(
        _ seconds: [Int], to folder: TemporaryFolder, snapshotsAfter: Set<Int> = [], historyRetentionSeconds: Int = 0
    ) async throws {
        let clock = Mutex(0)
        var options = folder.options
        options.now = { Timestamp(seconds: Self.start + clock.withLock { $0 }) }
        options.journal.pruning = .olderThan(historyRetentionSeconds)
        let store = try Store.open(folder.path, options: options).store
        for (index, second) in seconds.enumerated() {
            clock.withLock { $0 = second }
            _ = try await store.write(by: .local) { transaction in
                try transaction.upsert(StoreTests.business("B \(second)"))
            }
            if snapshotsAfter.contains(index + 1) { try await store.snapshot() }
        }
        try await store.close()
    }

    private func find(_ second: Int, in folder: TemporaryFolder) throws -> PointInTime {
        try PointInTime(Timestamp(seconds: Self.start + second), in: folder.path)
    }

    @Test(
        arguments: [
            (10, 1, 2), (15, 1, 2), (20, 2, 3), (29, 2, 3), (30, 3, nil), (1_000_000, 3, nil),
        ] as [(Int, Int, Int?)])
    func theStateIsTheOneBeforeTheFirstLaterCommit(second: Int, last: Int, next: Int?) async throws {
        let point = try find(second, in: try await makeTown([10, 20, 30]))
        #expect(point.last.sequence == last)
        #expect(point.next?.sequence == next)
        #expect(point.survey.canBuild(last))
    }

    @Test func beforeTheFirstCommitThereWasNoTown() async throws {
        let folder = try await makeTown([10, 20])
        #expect(throws: PointInTimeError.beforeHistory(oldest: nil)) { try find(9, in: folder) }
    }

    /// A damaged end is read twice, because a server may be writing there; what was found before it counts.
    @Test(
        arguments: [
            (15, 1, 2), (25, 2, 3), (35, 3, 4), (1_000, 4, nil),
        ] as [(Int, Int, Int?)])
    func aDamagedEndHidesNoMomentBeforeIt(second: Int, last: Int, next: Int?) async throws {
        let folder = try await makeTown([10, 20])
        try await write([30, 40], to: folder, historyRetentionSeconds: 3600)
        let log = try #require(FileHandle(forWritingAtPath: "\(folder.path)/wal-00000000000000000003.log"))
        try log.seekToEnd()
        try log.write(contentsOf: Data("01234567 {\"seq\":5,".utf8))
        try log.close()
        let point = try find(second, in: folder)
        #expect(!point.survey.report.findings.isEmpty)
        #expect(point.last.sequence == last)
        #expect(point.next?.sequence == next)
    }

    /// The clock was ten years ahead at the third commit, and was then set back.
    @Test func theOrderIsThatOfTheSequence() async throws {
        let folder = try await makeTown([10, 20, 315_000_000, 30, 40])
        #expect(try find(25, in: folder).last.sequence == 2)
        #expect(try find(45, in: folder).last.sequence == 2)
        #expect(try find(45, in: folder).next?.sequence == 3)
        #expect(try find(315_000_000, in: folder).last.sequence == 5)
    }

    @Test func theTimesOfCommitsNeverGoBack() async throws {
        let folder = try await makeTown([10, 5, -56 * 31_536_000, 20], snapshotsAfter: [3])
        #expect(throws: PointInTimeError.beforeHistory(oldest: nil)) { try find(9, in: folder) }
        #expect(try find(10, in: folder).last == .init(sequence: 3, at: Timestamp(seconds: Self.start + 10)))
        #expect(try find(20, in: folder).last.sequence == 4)
    }

    /// The clock was ten years ahead when the snapshot was written, in a folder without its older log.
    @Test func aBaseOfALaterTimeIsNoBase() async throws {
        let folder = try await makeTown([10, 315_000_000], snapshotsAfter: [1, 2])
        try await write([315_000_001], to: folder, historyRetentionSeconds: 0)
        try await write([315_000_002], to: folder, historyRetentionSeconds: 0)
        #expect(throws: PointInTimeError.self) { try find(20, in: folder) }
        #expect(try find(315_000_002, in: folder).last.sequence == 4)
    }

    @Test func missingHistoryIsReported() async throws {
        let folder = try await makeTown([10, 20, 30, 40], snapshotsAfter: [2, 4])
        // With an empty history, a start deletes the log before the older snapshot.
        var options = folder.options
        options.now = { Timestamp(seconds: Self.start + 50) }
        options.journal.pruning = .olderThan(0)
        let store = try Store.open(folder.path, options: options).store
        _ = try await store.write(by: .local) { transaction in try transaction.upsert(StoreTests.business("B 5")) }
        try await store.close()
        let oldest = Timestamp(seconds: Self.start + 40)
        #expect(throws: PointInTimeError.beforeHistory(oldest: oldest)) { try find(25, in: folder) }
        #expect(try find(45, in: folder).last.sequence == 4)
        #expect(try find(55, in: folder).last.sequence == 5)
    }

    @Test func aSnapshotAndABackupOfAStateAreTheSameBytes() async throws {
        let folder = try await makeTown([10, 20], snapshotsAfter: [2])
        let store = try Store.open(folder.path, options: folder.options).store
        var backup: [UInt8] = []
        store.writeBackup(of: store.current) { backup += $0 }
        try await store.close()
        #expect(try folder.contents(of: "snapshot-00000000000000000002.json") == backup)
    }
}
