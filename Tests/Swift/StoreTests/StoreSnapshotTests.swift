import Bytes
import Foundation
import Journal
import Synchronization
import TestSupport
import Testing

@testable import Store

/// Automatic snapshots, and the messages when they fail.
@Suite(.timeLimit(.minutes(20))) struct StoreSnapshotTests {
    private let folder = TemporaryFolder()
    private let time = TestSleep()
    private let disk = FullFileSystem(refusing: "snapshot-", code: ENOSPC)
    private let notes = Notes()

    private func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> Store {
        var options = folder.options
        options.sleep = time.sleep
        options.onMessage = { [notes] in notes.add($0) }
        change(&options)
        return try Store.open(folder.path, fileSystem: disk, options: options).store
    }

    private func write(_ name: String, to store: Store) async throws {
        _ = try await store.write(by: .local) { transaction in try transaction.upsert(StoreTests.business(name)) }
    }

    private func snapshotSequence(_ store: Store) async -> Int { await store.statistics.journal.snapshotSequence }

    @Test func anHourAfterTheFirstChangeThereIsASnapshotOfAll() async throws {
        let store = try open()
        for name in ["A", "B", "C"] { try await write(name, to: store) }
        await time.elapse(sleeps: 1)
        await until { await snapshotSequence(store) == 3 }
        #expect(time.begun == [.seconds(3600)])
        try await store.close()
    }

    @Test func withoutAChangeThereIsNone() async throws {
        let store = try open { $0.snapshotInterval = .seconds(60) }
        try await write("A", to: store)
        await time.elapse(sleeps: 1)
        await until { await snapshotSequence(store) == 1 }
        // The snapshot is current, so nothing is written and no alarm is set.
        try await write("A", to: store)
        try await store.snapshot()
        #expect(time.begun.count == 1)
        try await write("B", to: store)
        await time.elapse(sleeps: 2)
        await until { await snapshotSequence(store) == 2 }
        #expect(time.begun == [.seconds(60), .seconds(60)])
        try await store.close()
    }

    @Test func aSnapshotForAnotherReasonStopsTheTime() async throws {
        let store = try open()
        try await write("A", to: store)
        await until { time.begun.count == 1 }
        try await store.snapshot()
        await until { time.cancelled == 1 }
        try await write("B", to: store)
        await until { time.begun.count == 2 }
        try await store.close()
        await until { time.cancelled == 2 }
    }

    @Test func whatAStartReplaysIsBroughtIntoASnapshot() async throws {
        let killed = try open()
        try await write("A", to: killed)
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        try await killed.close()
        let time = TestSleep()
        var options = copy.options
        options.sleep = time.sleep
        let store = try Store.open(copy.path, options: options).store
        await time.elapse(sleeps: 1)
        await until { await snapshotSequence(store) == 1 }
        try await store.close()
        #expect(time.begun == [.seconds(3600)])
        // The snapshot has all changes.
        let again = try Store.open(copy.path, options: options).store
        try await again.close()
        #expect(time.begun.count == 1)
    }

    @Test func aClosedStoreWaitsForNothing() async throws {
        let store = try open()
        try await write("A", to: store)
        disk.fill()
        try await store.close()
        await until { time.begun.last == Store.snapshotRetryDelay }
        await until { time.cancelled == time.begun.count }
        #expect(time.cancelled == time.begun.count)
    }

    @Test func aReleasedStoreIsFreed() async throws {
        weak var held: Store?
        do {
            let store = try open()
            held = store
            try await write("A", to: store)
            await until { time.begun.count == 1 }
        }
        await until { held == nil && time.cancelled == 1 }
    }

    @Test func aSnapshotThatCannotBeWrittenIsTriedAgainUntilItCan() async throws {
        let store = try open { $0.snapshotBytes = 1 }
        disk.fill()
        try await write("A", to: store)
        await until { store.problems.snapshots != nil }
        let trouble = try #require(store.problems.snapshots)
        #expect(trouble.since == folder.options.now())
        #expect(trouble.detail.contains("No space left on device"))
        #expect(store.problems.writes == nil)
        // Automatically after a minute, without another commit; commits do not start one.
        try await write("B", to: store)
        await until { time.begun.last == Store.snapshotRetryDelay }
        let tries = time.begun.count
        await time.elapse(sleeps: tries)
        await until { time.begun.count == tries + 1 }
        #expect(time.begun.last == Store.snapshotRetryDelay)
        #expect(notes.all.count == 1)
        disk.makeRoom()
        await time.elapse(sleeps: tries + 1)
        await until { await snapshotSequence(store) == 2 }
        #expect(store.problems.snapshots == nil)
        #expect(
            notes.all == [trouble.detail, "snapshots can be written again; the newest holds all changes up to 2"])
        try await store.close()
    }

    @Test func recordedDamageLastsUntilTheNextCheck() async throws {
        let seconds = Counter()
        let store = try open { $0.now = { Timestamp(clampingSeconds: seconds.increment()) } }
        #expect(store.problems.text == nil)
        store.recordDamage("one")
        let begun = try #require(store.problems.files?.since)
        store.recordDamage("two")
        #expect(store.problems.files?.since == begun)
        #expect(store.problems.text == "two")
        store.recordDamage(nil)
        #expect(store.problems.text == nil)
        try await store.close()
    }

    private final class Notes: Sendable {
        private let notes = Mutex<[String]>([])

        var all: [String] { notes.withLock { $0 } }

        func add(_ note: String) {
            notes.withLock { $0.append(note) }
        }
    }
}
