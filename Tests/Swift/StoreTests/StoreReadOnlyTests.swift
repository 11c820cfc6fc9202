import Bytes
import SookeModel
import Synchronization
import Testing

@testable import Store

/// A store that makes no commit.
@Suite struct StoreReadOnlyTests {
    /// The time of the store.
    private static let now = Timestamp(clampingSeconds: 1_795_253_400)

    private func write(_ name: String, to store: Store) async throws {
        _ = try await store.write(by: .local) { transaction in try transaction.upsert(StoreTests.business(name)) }
    }

    @Test func noTransactionBegins() async throws {
        try await TemporaryFolder().open { store in
            try await write("Zed's", to: store)
            let last = try await store.makeReadOnly(reason: "moving")
            #expect(last.sequence == 1)
            let refusal = StoreError.readOnly(ReadOnlyState(since: Self.now, reason: "moving"))
            await #expect(throws: refusal) {
                try await store.write(by: .local) { _ in Issue.record("a body has run") }
            }
            let result = await withCheckedContinuation { continuation in
                store.write(by: .local, { _ in Issue.record("a body has run") }) { continuation.resume(returning: $0) }
            }
            #expect(throws: refusal) { try result.get() }
            #expect(store.current.position == last.position)
            #expect(store.problems.text == nil)
            try await store.snapshot()
            #expect(await store.statistics.journal.snapshotSequence == 1)
            try await store.endReadOnly()
            try await write("Anchor", to: store)
            #expect(store.current.sequence == 2)
        }
    }

    @Test func itIsStillReadOnlyAfterARestart() async throws {
        let folder = TemporaryFolder()
        let position = try await folder.open { store in
            try await write("Zed's", to: store)
            return try await store.makeReadOnly(reason: "moving \"home\"\nsoon").position
        }
        try await folder.open { store in
            #expect(store.readOnly == ReadOnlyState(since: Self.now, reason: "moving \"home\"\nsoon"))
            #expect(store.current.position == position)
            await #expect(throws: StoreError.self) { try await write("Anchor", to: store) }
            try await store.endReadOnly()
        }
        try await folder.open { store in
            #expect(store.readOnly == nil)
            try await write("Anchor", to: store)
        }
    }

    /// The time stays, and so does the reason unless another is given.
    @Test func onceMoreChangesNothingButTheReason() async throws {
        let folder = TemporaryFolder()
        try await folder.open { store in
            try await store.endReadOnly()
            let first = try await store.makeReadOnly(reason: nil)
            for (reason, expected) in [("moving", "moving"), (nil, "moving"), ("away", "away")] as [(String?, String)] {
                #expect(try await store.makeReadOnly(reason: reason).position == first.position)
                #expect(store.readOnly == ReadOnlyState(since: Self.now, reason: expected))
            }
        }
        try await folder.open { store in #expect(store.readOnly?.reason == "away") }
    }

    /// What writers were told is in the version, and nothing else is.
    @Test func itWaitsForWritesUnderWay() async throws {
        let folder = TemporaryFolder()
        let last = try await folder.open { store in
            let done = Task {
                await withTaskGroup(of: Int.self) { group in
                    for writer in 0..<16 {
                        group.addTask {
                            var count = 0
                            while count < 1_000, (try? await write("W \(writer) \(count)", to: store)) != nil {
                                count += 1
                            }
                            return count
                        }
                    }
                    return await group.reduce(0, +)
                }
            }
            while store.current.sequence < 50 { await Task.yield() }
            let last = try await store.makeReadOnly(reason: nil)
            let count = await done.value
            #expect(last.town.businesses.count == count)
            #expect(store.current.position == last.position)
            return last
        }
        try await folder.open { store in #expect(store.current.position == last.position) }
    }

    @Test(arguments: ["", "{", "[]", #"{"since":3}"#, #"{"since":"x","reason":null,"more":1}"#])
    func aStateThatCannotBeReadIsUnknown(json: String) {
        #expect(ReadOnlyState(json: Array(json.utf8)) == ReadOnlyState(since: nil, reason: nil))
    }
}
