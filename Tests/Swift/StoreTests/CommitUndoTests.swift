import Bytes
import Foundation
import SookeModel
import TestSupport
import Testing

@testable import Journal
@testable import Store

/// Undoing a commit: a commit that reverses it, field by field.
@Suite struct CommitUndoTests {
    /// A step of a random history, and what it names: records, and single fields of records.
    private struct Step {
        let name: String
        let touched: Set<String>
        let run: (inout WriteTransaction) throws -> Void
    }

    private static func step(_ number: Int, _ random: inout SplitMix64) -> Step {
        let (id, other) = (random.below(4) + 1, random.below(4) + 1)
        let text = "text \(number)"
        switch random.below(12) {
        case 0, 1:
            let slug = "b\(id)-\(number)"
            return Step(name: "make business \(id)", touched: ["business/\(id)", slug]) { transaction in
                try transaction.create(
                    patch(Business.self) {
                        ($0.id, $0.slug, $0.name, $0.address) = (id, Slug(slug), text, "1 A")
                        ($0.latitude, $0.longitude, $0.category) = (48, -123, Slug("bars"))
                    })
            }
        case 2, 3, 4:
            let field = random.pick(["phone", "description", "website"])
            return Step(name: "\(field) of business \(id)", touched: ["business/\(id).\(field)"]) { transaction in
                try transaction.update(
                    id,
                    patch(Business.self) { business in
                        switch field {
                        case "phone": business.phone = text
                        case "description": business.description = text
                        default: business.website = "https://\(number).example"
                        }
                    })
            }
        case 5:
            return Step(name: "rename business \(id)", touched: ["business/\(id)"]) { transaction in
                try transaction.update(id, patch(Business.self) { $0.slug = Slug("b\(id)-\(number)") })
            }
        case 6:
            return Step(name: "delete business \(id)", touched: ["business/\(id)", "events"]) { transaction in
                try transaction.deleteBusiness(id)
            }
        case 7:
            return Step(
                name: "merge business \(id) into \(other)", touched: ["business/\(id)", "business/\(other)", "events"]
            ) { transaction in
                try transaction.mergeBusiness(id, into: other, keepsOwner: true)
            }
        case 8, 9:
            return Step(name: "make event \(id)", touched: ["event/\(id)", "business/\(other)"]) { transaction in
                let place = transaction.town.businesses[other]?.slug
                try transaction.create(
                    patch(Event.self) {
                        ($0.id, $0.slug, $0.name, $0.eventType) = (id, Slug("e\(id)-\(number)"), text, Slug("music"))
                        ($0.business, $0.status) = (place, .approved)
                        ($0.latitude, $0.longitude) = place == nil ? (48, -123) : (nil, nil)
                        $0.startsLocal = LocalTime("2027-06-01T19:00")
                    })
            }
        case 10:
            return Step(name: "cancel event \(id)", touched: ["event/\(id).status"]) { transaction in
                try transaction.update(id, patch(Event.self) { $0.status = .cancelled })
            }
        default:
            return Step(name: "move event \(id)", touched: ["event/\(id).starts_local"]) { transaction in
                let start = LocalTime("2027-06-\(10 + number)T19:00")
                try transaction.update(id, patch(Event.self) { $0.startsLocal = start })
            }
        }
    }

    private static func patch<Value>(_ type: Value.Type, _ set: (inout Value) -> Void) -> Patch<Value> {
        var patch = Patch<Value>()
        set(&patch.values)
        patch.fields = patch.values.difference(from: Value())
        return patch
    }

    private static func beginning() throws -> WriteTransaction {
        var transaction = WriteTransaction(Town())
        try transaction.create(patch(SookeModel.Category.self) { $0.name = "Bars" })
        try transaction.create(patch(EventType.self) { $0.name = "Music" })
        return WriteTransaction(transaction.town)
    }

    /// A step that fails changes nothing.
    private static func commit(_ step: Step, _ transaction: inout WriteTransaction) -> ChangeSet? {
        let before = transaction
        guard (try? step.run(&transaction)) != nil else {
            transaction = before
            return nil
        }
        return changeSet(&transaction)
    }

    private static func changeSet(_ transaction: inout WriteTransaction) -> ChangeSet {
        let commit = Commit(time: CommitTime(at: Timestamp.epoch), by: .local, changes: transaction.takeChanges())
        return ChangeSet(CommitPosition(1, CommitChain(of: "a store")), commit)
    }

    /// Without former slugs, which stay.
    private static func records(of town: Town) -> [String] {
        lines(of: town).filter { !$0.hasPrefix("\"id_sequences\"") }.map {
            $0.replacing(/,"former_slugs":\[[^\]]*\]/, with: "")
        }
    }

    private static func areOfOneSubject(_ left: Set<String>, _ right: Set<String>) -> Bool {
        left.contains { left in
            right.contains { right in left == right || left.hasPrefix(right + ".") || right.hasPrefix(left + ".") }
        }
    }

    /// The undo of a change equals the history without it, wherever no later change was of the same fields.
    @Test func theUndoOfAChangeIsTheHistoryWithoutIt() throws {
        var compared = 0
        for seed in 1...UInt64(Cases.count(60, of: 7_000)) {
            var random = SplitMix64(seed: seed)
            let steps = (0..<14).map { Self.step($0, &random) }
            let undone = random.below(steps.count)
            var (town, without) = (try Self.beginning(), try Self.beginning())
            var found: ChangeSet?
            for (index, step) in steps.enumerated() {
                let commit = Self.commit(step, &town)
                if index == undone { found = commit } else { _ = Self.commit(step, &without) }
            }
            guard let found else { continue }
            var touched = steps[undone].touched
            for item in found.items where item.before == nil || item.after == nil || item.kind == .event {
                touched.insert("\(item.kind.name)/\(item.id)")
            }
            let others = steps[(undone + 1)...].reduce(into: Set<String>()) { $0.formUnion($1.touched) }
            if Self.areOfOneSubject(touched, others) { continue }
            let undo = try town.undo(found, CommitUndo.Choices(), at: Timestamp.epoch)
            #expect(undo.conflicts == [] && undo.left == [], "seed \(seed): \(steps[undone].name)")
            #expect(
                Self.records(of: town.town) == Self.records(of: without.town),
                "seed \(seed): \(steps.map(\.name)), without \(undone)")
            compared += 1
        }
        #expect(compared > Cases.count(60, of: 7_000) / 8)
    }

    /// What was changed since is asked about: nothing is undone until each question has an answer.
    @Test func whatWasChangedSinceIsAskedAbout() throws {
        var transaction = try TransactionTown.transaction()
        try transaction.update(1, TransactionTown.patch(Business.self, #"{"phone":"1","website":"https://a.example"}"#))
        let first = Self.changeSet(&transaction)
        try transaction.update(1, TransactionTown.patch(Business.self, #"{"phone":"2"}"#))
        _ = transaction.takeChanges()
        let asked = try transaction.undo(first, CommitUndo.Choices(), at: Timestamp.epoch)
        #expect(asked.conflicts.map(\.name) == ["business/1.phone"] && transaction.changes.isEmpty)
        #expect(asked.conflicts.first?.field?.now.map { String(decoding: $0, as: UTF8.self) } == #""2""#)
        for (choices, phone) in [
            (CommitUndo.Choices(reversed: [ByteText("business/1.phone")]), nil),
            (CommitUndo.Choices(kept: [ByteText("business/1.phone")]), "2"),
        ] {
            var answered = transaction
            #expect(try answered.undo(first, choices, at: Timestamp.epoch).conflicts == [])
            #expect(answered.town.businesses[1]?.value.phone == phone)
            #expect(answered.town.businesses[1]?.value.website == nil)
        }
    }

    /// From the log of a folder, after a restart: the same record, as old as before, with its open proposals, but without
    /// the address of a stranger.
    @Test func aDeletedBusinessComesBackWhole() async throws {
        let folder = TemporaryFolder()
        let now = Timestamp(clampingSeconds: 1_000_000)
        var store = try Store.open(folder.path, options: folder.options).store
        _ = try await store.write(by: .local) { transaction in
            transaction.at = Timestamp(clampingSeconds: 50)
            try transaction.create(TransactionTown.patch(EventType.self, #"{"name":"Sports"}"#))
            try transaction.create(
                TransactionTown.patch(
                    Business.self, #"{"name":"Zeds","address":"1 A","latitude":48,"longitude":-123,"slug":"old"}"#))
            try transaction.update(1, TransactionTown.patch(Business.self, #"{"slug":"zeds"}"#))
            try transaction.create(
                TransactionTown.patch(
                    Event.self,
                    #"{"name":"Quiz","event_type":"sports","business":"zeds","starts_local":"2027-01-01T19:00"}"#))
            var proposal = Proposal()
            (proposal.about, proposal.business, proposal.text) = (.business, 1, "closed on Mondays")
            (proposal.email, proposal.network) = ("ann@sooke.example", "a")
            transaction.put(proposal, at: now)
        }
        let before = try #require(store.current.town.businesses[1]?.value)
        _ = try await store.write(by: .local) { transaction in try transaction.deleteBusiness(1) }
        let sequence = store.current.sequence
        #expect(store.current.town.proposals[1]?.text == nil)
        try await store.close()

        store = try Store.open(folder.path, options: folder.options).store
        let commit = try #require(try await store.commit(sequence))
        for _ in 0..<2 {
            _ = try await store.write(by: .local, act: .undoing(commit.position)) { transaction in
                let undo = try transaction.undo(commit, CommitUndo.Choices(), at: now)
                #expect(undo.conflicts == [])
            }
            let town = store.current.town
            let after = try #require(town.businesses[1]?.value)
            #expect(after == before && after.times.created == before.times.created)
            #expect(town.events[1]?.value.business == Slug("zeds") && town.events[1]?.value.latitude == nil)
            let proposal = try #require(town.proposals[1])
            #expect(proposal.isOpen && proposal.text == "closed on Mondays" && proposal.email == nil)
        }
        // The second one had nothing to do.
        #expect(store.current.sequence == sequence + 1)
        // The log says how old the record is.
        try await store.close()
        store = try Store.open(folder.path, options: folder.options).store
        #expect(store.current.town.businesses[1]?.value.times.created == before.times.created)
        try await store.close()
    }

    /// What was deleted meanwhile stays so, and a slug that another record has is refused.
    @Test func aRestoredBusinessFitsTheTownOfNow() throws {
        var transaction = try TransactionTown.transaction()
        try transaction.deleteBusiness(1)
        let deletion = Self.changeSet(&transaction)
        try transaction.deletePerson(1)
        try transaction.delete(try #require(transaction.town.categories[Slug("bars")]?.value))
        var taken = transaction
        try taken.update(2, TransactionTown.patch(Business.self, #"{"slug":"pub"}"#))
        #expect(throws: WriteError.taken(slug: Slug("pub"))) {
            try taken.undo(deletion, CommitUndo.Choices(), at: Timestamp.epoch)
        }
        #expect(try transaction.undo(deletion, CommitUndo.Choices(), at: Timestamp.epoch).conflicts == [])
        let restored = try #require(transaction.town.businesses[1]?.value)
        #expect(restored.slug == Slug("pub") && restored.ownerID == nil && restored.category == nil)
    }

    /// The undo of an import leaves what somebody has touched since.
    @Test func anImportIsUndoneButForWhatWasChangedSince() throws {
        let count = Cases.count(300, of: 5_000)
        var transaction = try TransactionTown.transaction()
        for number in 1...count {
            try transaction.create(
                Self.patch(Business.self) {
                    ($0.name, $0.address, $0.latitude, $0.longitude) = ("Shop \(number)", "1 A", 48, -123)
                    $0.category = Slug("shops")
                })
        }
        try transaction.update(2, TransactionTown.patch(Business.self, #"{"phone":"1"}"#))
        let imported = Self.changeSet(&transaction)
        let edited = [10, 20, 30]
        for id in edited { try transaction.update(id, TransactionTown.patch(Business.self, #"{"phone":"5"}"#)) }
        let start = ContinuousClock.now
        let undo = try transaction.undo(imported, CommitUndo.Choices(leavesChanged: true), at: Timestamp.epoch)
        print("undo of \(count): \(ContinuousClock.now - start)")
        #expect(undo.left.map(\.record.id) == edited && undo.left.allSatisfy { $0.reason == .changedSince })
        #expect(undo.changed.count == count - edited.count + 1)
        #expect(transaction.town.count(of: .business) == 2 + edited.count)
        #expect(transaction.town.businesses[2]?.value.phone == nil)
    }
}
