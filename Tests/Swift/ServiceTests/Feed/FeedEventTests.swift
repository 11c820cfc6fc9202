import Foundation
import SookeModel
import Testing

@testable import Service
@testable import Store

/// What a change is for each client, by the records before and after it.
@Suite struct FeedEventTests {
    typealias Step = @Sendable (inout WriteTransaction) throws -> Void

    struct Row: Sendable, CustomTestStringConvertible {
        /// What some clients get, such as `created event gig: nobody mia`, or `nothing: otto`.
        let expected: String
        let testDescription: String
        let step: Step

        init(_ name: String, _ expected: String, _ step: @escaping Step) {
            (testDescription, self.expected, self.step) = (name, expected, step)
        }
    }

    static let rows: [Row] = [
        Row(
            "an event is approved",
            "created event quiz: nobody otto; updated event quiz: mia olga ada local"
        ) { try $0.update(1, Patch<Event> { $0.status = .approved }) },
        Row("an approved event waits again", "deleted event gig: nobody otto; updated event gig: mia ada") {
            try $0.update(3, Patch<Event> { $0.status = .pendingReview })
        },
        Row("an event is cancelled", "updated event gig: nobody mia") {
            try $0.update(3, Patch<Event> { $0.status = .cancelled })
        },
        Row("an event that waits changes", "nothing: nobody otto; updated event quiz: mia olga") {
            try $0.update(1, Patch<Event> { $0.name = "Pub quiz" })
        },
        Row(
            "a business loses its category",
            "deleted business anchor: nobody mia; updated business anchor: otto ada"
        ) { transaction in
            var patch = Patch<Business>()
            patch.fields = ["category"]
            try transaction.update(2, patch)
        },
        Row("only the owner changes", "updated business zeds: nobody") {
            try $0.update(1, Patch<Business> { $0.ownerID = 3 })
        },
        Row("a business gets its first category", "created business den: nobody; updated business den: olga ada") {
            try $0.update(3, Patch<Business> { $0.category = Slug("bars") })
        },
        Row("a category is renamed", "updated category bars: nobody ada") {
            try $0.update(1, Patch<SookeModel.Category> { $0.name = "Pubs" })
        },
        Row("a record is created and deleted in one commit", "nothing: nobody ada") { transaction in
            let made = try transaction.create(Patch<SookeModel.Category> { $0.name = "New" })
            try transaction.delete(made)
        },
        Row("people are not in the feed", "nothing: nobody ada") {
            try $0.create(Patch<Person> { $0.email = "new@town.example" })
        },
    ]

    @Test(arguments: rows)
    func eachClientGets(row: Row) async throws {
        let town = try await ServiceTown()
        let before = town.store.current
        _ = try await town.store.write(by: .local, row.step)
        let commit = try #require(town.store.current.commits(after: before.position)?.first?.changeSet)
        for part in row.expected.components(separatedBy: "; ").map({ $0.components(separatedBy: ": ") }) {
            for name in part[1].split(separator: " ") {
                let caller = try #require(TestCaller.allCases.first { "\($0)" == name })
                let viewer = Viewer(caller.caller, in: before.town)
                let events = commit.items.compactMap { FeedEvent($0, for: viewer) }
                #expect(events.map(\.text) == (part[0] == "nothing" ? [] : [part[0]]), "\(caller)")
            }
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
