import SookeModel
import Testing

@testable import Store

/// A commit is the same from memory and from the log, part by part.
@Suite struct ChangeSetTests {
    private let folder = TemporaryFolder()

    private func open() throws -> Store {
        var options = folder.options
        options.journal.segmentBytes = 2048
        options.journal.reservedBytes = 0
        return try Store.open(folder.path, options: options).store
    }

    private static func business(_ change: (inout Business) -> Void) -> Patch<Business> {
        var patch = Patch<Business>()
        change(&patch.values)
        patch.fields = patch.values.difference(from: Business())
        return patch
    }

    private static let steps: [@Sendable (inout WriteTransaction) throws -> Void] = [
        { try $0.upsert(StoreTests.business("A")) },
        { try $0.upsert(StoreTests.business("B")) },
        { try $0.update(1, business { ($0.description, $0.email) = ("long", "a@town.example") }) },
        { transaction in
            var patch = Patch<Business>()
            patch.fields = ["description", "email"]
            try transaction.update(1, patch)
        },
        { try $0.update(1, business { $0.hours = [DayHours()] }) },
        { transaction in
            try transaction.update(1, business { $0.name = "Once" })
            try transaction.update(1, business { $0.name = "Twice" })
        },
        // Both swap their slugs.
        { transaction in
            try transaction.update(1, business { $0.slug = Slug("x") })
            try transaction.update(2, business { $0.slug = Slug("a") })
            try transaction.update(1, business { $0.slug = Slug("b") })
        },
        { transaction in
            try transaction.upsert(StoreTests.business("C"))
            try transaction.deleteBusiness(3)
        },
        { try $0.deleteBusiness(2) },
    ]

    private static func text(_ commit: ChangeSet) -> [String] {
        ["\(commit.position)"]
            + commit.items.map { item in
                let (before, after) = (item.before?.written ?? [], item.after?.written ?? [])
                return "\(item.kind.name) \(item.id) \(String(decoding: before, as: UTF8.self)) "
                    + String(decoding: after, as: UTF8.self)
            }
    }

    @Test func theLogHasTheSame() async throws {
        let store = try open()
        let start = store.current.position
        for step in Self.steps { _ = try await store.write(by: .local, step) }
        let recent = try #require(store.current.commits(after: start)).map { ChangeSet($0) }
        #expect(recent.count == Self.steps.count)
        for bytes in [1, 300, 1 << 20] {
            for first in 0...recent.count {
                let after = first == 0 ? start : recent[first - 1].position
                let cursor = LogCursor(store, after: after)
                var logged: [ChangeSet] = []
                while let part = try cursor.next(bytes: bytes, { $0 }), !part.elements.isEmpty {
                    #expect(part.through == part.elements.last?.position)
                    logged += part.elements
                }
                #expect(logged.map(Self.text) == recent[first...].map(Self.text))
            }
        }
        try await store.close()
    }

    /// Each record occurs once, as it was before the commit and as it is after it.
    @Test func aRecordOccursOnce() async throws {
        let store = try open()
        let start = store.current.position
        for step in Self.steps { _ = try await store.write(by: .local, step) }
        let recent = try #require(store.current.commits(after: start)).map { ChangeSet($0) }
        #expect(recent[5].items.map(\.id) == [1])
        #expect((recent[5].items[0].before as? Business)?.name == "A")
        #expect((recent[5].items[0].after as? Business)?.name == "Twice")
        #expect(recent[7].items.map { $0.before == nil && $0.after == nil } == [true])
        try await store.close()
    }

    /// A cursor at the newest version gets what is committed later; one at a position of another town gets nothing.
    @Test func aCursorContinues() async throws {
        let store = try open()
        let cursor = LogCursor(store, after: store.current.position)
        for step in Self.steps.prefix(3) {
            #expect(try cursor.next(bytes: 100) { $0 }?.elements.isEmpty == true)
            _ = try await store.write(by: .local, step)
            let part = try cursor.next(bytes: 1000) { $0 }
            #expect(part?.elements.count == 1)
            #expect(part?.through == store.current.position)
        }
        let other = TemporaryFolder()
        let foreign = try Store.open(other.path, options: other.options).store
        for step in Self.steps.prefix(2) { _ = try await foreign.write(by: .local, step) }
        #expect(try LogCursor(store, after: foreign.current.position).next(bytes: 100) { $0 } == nil)
        try await foreign.close()
        try await store.close()
    }

    /// A commit that is too long for a copy of it in memory for each reader.
    @Test func aLongCommitIsNotContinued() async throws {
        let store = try open()
        let start = store.current.position
        for length in [1_000_000, LogCursor.longestCommit] {
            let before = store.current.position
            _ = try await store.write(by: .local) { transaction in
                for each in 0..<length / 1000 {
                    var business = try StoreTests.business("Shop \(length) \(each)")
                    business.values.description = String(repeating: "x", count: 1000)
                    business.fields.insert("description")
                    try transaction.upsert(business)
                }
            }
            let isLong = length == LogCursor.longestCommit
            #expect(try (LogCursor(store, after: before).next(bytes: 1) { $0 } == nil) == isLong)
        }
        let cursor = LogCursor(store, after: start)
        #expect(try cursor.next(bytes: 1) { $0 } != nil)
        #expect(try cursor.next(bytes: 1) { $0 } == nil)
        try await store.close()
    }
}
