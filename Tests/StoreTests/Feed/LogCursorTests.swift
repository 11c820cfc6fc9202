import Bytes
import Journal
import SookeModel
import Testing

@testable import Store

/// Which positions a cursor continues, and which are worth it.
@Suite struct LogCursorTests {
    private func isKnown(_ store: Store, _ position: HistoryPosition) throws -> Bool {
        try LogCursor(store, after: position).next(bytes: 1) { $0 } != nil
    }

    private func position(_ sequence: Int, _ text: some StringProtocol) throws -> HistoryPosition {
        try #require(HistoryPosition("\(sequence).\(text)"))
    }

    /// The commits of version 1 have neither chains nor before-images: only those after them are continued.
    @Test(arguments: FormatsTests.names)
    func anEarlierLog(name: String) async throws {
        let work = TemporaryFolder()
        try FormatsTests.unpack(name, to: work.path)
        let store = try Store.open(work.path + "/data", options: work.options).store
        let start = store.current.position
        try #require(start.sequence > 2)
        for phone in ["1", "2", "3"] {
            _ = try await store.write(by: .local) { transaction in
                try transaction.update(1, TransactionTown.patch(Business.self, #"{"phone":"\#(phone)"}"#))
            }
        }
        let part = try #require(try LogCursor(store, after: start).next(bytes: 1 << 20) { $0 })
        let (commits, end) = (part.elements, part.through)
        #expect(end == store.current.position)
        #expect(commits.map { ($0.items.first?.before as? Business)?.phone }.dropFirst() == ["1", "2"])
        #expect(commits.map { ($0.items.first?.after as? Business)?.phone } == ["1", "2", "3"])
        // A client has no position of version 1, but may send any text.
        let chains = ["0000000000000000", "\(start.chain)", "\(end.chain)"]
        for sequence in 0..<start.sequence where name.hasPrefix("1-") {
            for chain in chains {
                #expect(try !isKnown(store, position(sequence, chain)), "\(sequence) \(chain)")
            }
        }
        try await store.close()
    }

    /// The log from the first commit is continued from its first position.
    @Test func theBeginning() async throws {
        let work = TemporaryFolder()
        let store = try Store.open(work.path, options: work.options).store
        let start = store.current.position
        _ = try await store.write(by: .local) { try $0.upsert(StoreTests.business("A")) }
        #expect(try isKnown(store, start))
        #expect(try !isKnown(store, position(0, "0000000000000000")))
        #expect(try !isKnown(store, position(1, "\(start.chain)")))
        #expect(try !isKnown(store, position(2, "\(store.current.position.chain)")))
        try await store.close()
    }

    /// A replay of more commits than 1,000, and than there are records, takes longer than a whole version.
    @Test(
        arguments: [
            (5000, 5000, 0, true), (4999, 5000, 0, true), (4000, 5000, 0, true), (3999, 5000, 0, false),
            (0, 5000, 0, false), (5001, 5000, 0, false), (9_999_999, 5000, 0, false), (0, 1000, 0, true),
            (0, 1001, 0, false), (0, 1001, 1001, true), (0, 1002, 1001, false), (0, 1000, 1, true),
        ] as [(Int, Int, Int, Bool)])
    func worthReplaying(from: Int, newest: Int, records: Int, expected: Bool) throws {
        var community = Community()
        for id in 0..<records {
            var category = SookeModel.Category()
            (category.id, category.name, category.slug) = (id + 1, "\(id)", Slug("\(id)"))
            _ = try community.apply(.put(AnyRecord(category)), at: nil)
        }
        #expect(community.sharedCount == records)
        let version = Version(
            community: community, position: try position(newest, "0000000000000000"),
            time: CommitTime(at: try #require(Timestamp(rfc3339: "2026-11-21T09:30:00Z"))))
        #expect(version.isWorthReplaying(from: try position(from, "0000000000000000")) == expected)
    }
}
