import Journal
import SookeModel
import Testing

@testable import Store

/// A commit is the same from memory and from the log.
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

    static func text(_ commit: ChangeSet) -> [String] {
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
        let recent = try #require(store.current.commits(after: start)).compactMap(\.changeSet)
        #expect(recent.count == Self.steps.count)
        var reader = try CommitReader(folder.path, through: store.current.sequence)
        var logged: [ChangeSet] = []
        while let commit = try reader.next() { logged.append(try ChangeSet(commit)) }
        #expect(logged.map(Self.text) == recent.map(Self.text))
        try await store.close()
    }
}
