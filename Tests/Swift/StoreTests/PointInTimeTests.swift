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
        options.now = { Timestamp(clampingSeconds: Self.start + clock.withLock { $0 }) }
        options.journal.pruning = .olderThan(historyRetentionSeconds)
        // Otherwise the log is needed for them.
        options.recentCommits = RecentCommits.Limits(bytes: 0, commits: 0, mostBytes: 0)
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

    private func find(_ second: Int, in folder: TemporaryFolder, now: Int = 1_000_000_000) throws -> PointInTime {
        let now = Timestamp(clampingSeconds: Self.start + now)
        return try PointInTime(Timestamp(clampingSeconds: Self.start + second), in: folder.path, now: now)
    }

    @Test func theStateIsTheOneBeforeTheFirstLaterCommit() async throws {
        let folder = try await makeTown([10, 20, 30])
        #expect(throws: PointInTimeError.beforeHistory(oldest: nil)) { try find(9, in: folder) }
        for (second, last, next) in [(10, 1, 2), (15, 1, 2), (20, 2, 3), (29, 2, 3), (30, 3, nil), (1_000_000, 3, nil)]
            as [(Int, Int, Int?)]
        {
            let point = try find(second, in: folder)
            #expect(point.last.sequence == last && point.next?.sequence == next, "\(second)")
            #expect(point.survey.canBuild(last))
        }
    }

    /// A damaged end is read twice, because a server may be writing there; what was found before it counts.
    @Test func aDamagedEndHidesNoMomentBeforeIt() async throws {
        let folder = try await makeTown([10, 20])
        try await write([30, 40], to: folder, historyRetentionSeconds: 3600)
        let log = try #require(FileHandle(forWritingAtPath: "\(folder.path)/wal-00000000000000000003.log"))
        try log.seekToEnd()
        try log.write(contentsOf: Data("01234567 {\"seq\":5,".utf8))
        try log.close()
        for (second, last, next) in [(15, 1, 2), (25, 2, 3), (35, 3, 4), (1_000, 4, nil)] as [(Int, Int, Int?)] {
            let point = try find(second, in: folder)
            #expect(!point.survey.report.findings.isEmpty)
            #expect(point.last.sequence == last && point.next?.sequence == next, "\(second)")
        }
    }

    /// The state at a second, when it is not certain: nil. The clock showed these seconds at the commits.
    @Test(
        arguments: [
            // Ten years ahead at the third commit, and then set back.
            ([10, 20, 315_000_000, 30, 40], [(9, nil), (15, 1), (20, 2), (25, nil), (30, 4), (35, 4), (45, 5)]),
            // The last commit is that of the wrong clock.
            ([10, 20, 315_000_000], [(15, 1), (20, 2), (50, nil)]),
            // The machine started in 1970.
            ([10, 20, -1_795_253_400, 30], [(9, nil), (15, 1), (20, 2), (25, nil), (30, 4), (1_000, 4)]),
            // Set back by seconds: it showed those from 5 to 10 twice.
            ([10, 5, 20], [(4, nil), (7, nil), (10, 2), (12, 2), (20, 3)]),
            ([10, 20, 12, 30], [(11, 1), (12, nil), (15, nil), (20, 3), (25, 3), (30, 4)]),
        ] as [([Int], [(Int, Int?)])])
    func aMomentIsOneOfTheClock(seconds: [Int], states: [(second: Int, last: Int?)]) async throws {
        let folder = try await makeTown(seconds)
        for (second, last) in states {
            #expect((try? find(second, in: folder, now: 1_000))?.last.sequence == last, "\(second)")
        }
    }

    /// A town whose clock runs in the future of this machine, as with `--now`.
    @Test func aMomentThatIsToComeIsOneOfTheTown() async throws {
        let folder = try await makeTown([10, 315_000_000, 315_000_010])
        #expect(try find(315_000_005, in: folder, now: 20).last.sequence == 2)
    }

    /// After the older log was dropped, the time of the snapshot is that of the wrong clock; the commits after it have
    /// both.
    @Test func aStateAfterASnapshotOfAWrongClock() async throws {
        let folder = try await makeTown([315_000_000, 20], snapshotsAfter: [1, 2])
        try await write([30], to: folder, historyRetentionSeconds: 0)
        try await write([40], to: folder, historyRetentionSeconds: 0)
        #expect(throws: PointInTimeError.self) { try find(25, in: folder, now: 1_000) }
        #expect(throws: PointInTimeError.self) { try find(35, in: folder, now: 1_000) }
        let last = try find(45, in: folder, now: 1_000).last
        #expect(last == .init(sequence: 4, at: Timestamp(clampingSeconds: Self.start + 40)))
    }

    @Test func missingHistoryIsReported() async throws {
        let folder = try await makeTown([10, 20, 30, 40], snapshotsAfter: [2, 4])
        // With an empty history, a start deletes the log before the older snapshot.
        var options = folder.options
        options.now = { Timestamp(clampingSeconds: Self.start + 50) }
        options.journal.pruning = .olderThan(0)
        options.recentCommits = RecentCommits.Limits(bytes: 0, commits: 0, mostBytes: 0)
        let store = try Store.open(folder.path, options: options).store
        _ = try await store.write(by: .local) { transaction in try transaction.upsert(StoreTests.business("B 5")) }
        try await store.close()
        let oldest = Timestamp(clampingSeconds: Self.start + 40)
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
