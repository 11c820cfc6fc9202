import SookeModel
import Testing

@testable import Service
@testable import Store

/// What a change is for each client, by the records before and after it.
@Suite struct FeedEventTests {
    typealias Step = @Sendable (inout WriteTransaction) throws -> Void

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// What each of these clients gets, such as `created event gig`.
        let expected: [TestCaller: [String]]
        let step: Step

        init(_ name: String, _ expected: [TestCaller: [String]], _ step: @escaping Step) {
            (self.name, self.expected, self.step) = (name, expected, step)
        }

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            "an event is approved",
            [
                .nobody: ["created event quiz"], .mia: ["updated event quiz"], .olga: ["updated event quiz"],
                .otto: ["created event quiz"], .ada: ["updated event quiz"], .local: ["updated event quiz"],
            ]
        ) { try $0.update(1, Patch<Event> { $0.status = .approved }) },
        Row(
            "an approved event waits again",
            [
                .nobody: ["deleted event gig"], .mia: ["updated event gig"], .otto: ["deleted event gig"],
                .ada: ["updated event gig"],
            ]
        ) { try $0.update(3, Patch<Event> { $0.status = .pendingReview }) },
        Row("an event is cancelled", [.nobody: ["updated event gig"], .mia: ["updated event gig"]]) {
            try $0.update(3, Patch<Event> { $0.status = .cancelled })
        },
        Row(
            "an event that waits changes",
            [.nobody: [], .otto: [], .mia: ["updated event quiz"], .olga: ["updated event quiz"]]
        ) { try $0.update(1, Patch<Event> { $0.name = "Pub quiz" }) },
        Row(
            "a business loses its category",
            [
                .nobody: ["deleted business anchor"], .mia: ["deleted business anchor"],
                .otto: ["updated business anchor"], .ada: ["updated business anchor"],
            ]
        ) { transaction in
            var patch = Patch<Business>()
            patch.fields = ["category"]
            try transaction.update(2, patch)
        },
        Row("only the owner changes", [.nobody: ["updated business zeds"]]) {
            try $0.update(1, Patch<Business> { $0.ownerID = 3 })
        },
        Row(
            "a business gets its first category",
            [.nobody: ["created business den"], .olga: ["updated business den"], .ada: ["updated business den"]]
        ) { try $0.update(3, Patch<Business> { $0.category = Slug("bars") }) },
        Row("a category is renamed", [.nobody: ["updated category bars"], .ada: ["updated category bars"]]) {
            try $0.update(1, Patch<SookeModel.Category> { $0.name = "Pubs" })
        },
        Row("a record is created and deleted in one commit", [.nobody: [], .ada: []]) { transaction in
            let made = try transaction.create(Patch<SookeModel.Category> { $0.name = "New" })
            try transaction.delete(made)
        },
        Row("people are not in the feed", [.nobody: [], .ada: []]) {
            try $0.create(Patch<Person> { $0.email = "new@town.example" })
        },
    ]

    @Test(arguments: rows)
    func eachClientGets(row: Row) async throws {
        let town = try await ServiceTown()
        let before = town.store.current
        _ = try await town.store.write(by: .local, row.step)
        let commit = try #require(town.store.current.commits(after: before.position)?.first?.changeSet)
        for (caller, expected) in row.expected {
            let viewer = Viewer(caller.caller, in: before.town)
            let events = commit.items.compactMap { FeedEvent($0, for: viewer) }
            #expect(events.map(\.text) == expected, "\(caller)")
        }
    }

    /// A client that follows some records only is left by those that go elsewhere.
    @Test func aNarrowedChange() async throws {
        let town = try await ServiceTown()
        let before = town.store.current
        _ = try await town.store.write(by: .local) { transaction in
            try transaction.update(1, Patch<Business> { $0.slug = Slug("zed") })
        }
        let commit = try #require(town.store.current.commits(after: before.position)?.first?.changeSet)
        let item = try #require(commit.items.first { $0.kind == .business })
        let event = try #require(FeedEvent(item, for: .anyone))
        let rows: [(String, FeedEvent.Action?)] = [("zeds", .deleted), ("zed", .created), ("other", nil)]
        for (slug, action) in rows {
            #expect(event.narrowed { ($0 as? Business)?.slug == Slug(slug) }?.action == action)
        }
        #expect(event.narrowed { _ in true }?.action == .updated)
    }
}

extension FeedEvent {
    fileprivate var text: String {
        let slug = ((after ?? before) as? any SluggedRecord)?.slug.text ?? "?"
        return "\(action.rawValue) \(kind.name) \(slug)"
    }
}
