import Bytes
import Foundation
import HTTP
import JSON
import Journal
import SookeModel
import TestSupport
import Testing

@testable import API
@testable import Exchange
@testable import Store

/// Each field of each kind of record is filled by a visitor, and comes back from all that stores, sends or shows it.
///
/// A field that one of them forgot would be lost without a word.
@Suite struct EveryFieldTests {
    /// The kinds with what their records cannot have: an event is at a business or at a place, and has an organizer in
    /// words or in the directory, and follows calendars of its own town only; settings have one ID.
    private static let filled: [(kind: String, without: Set<String>)] = Town.recordTypes.flatMap { type in
        if !type.kind.isShared { return [(kind: String, without: Set<String>)]() }
        let exceptions: [Set<String>] =
            type.kind == .event
            ? [
                ["business", "organizer", "over_at", "all_day", "sources"],
                ["latitude", "longitude", "host", "over_at", "all_day", "sources"],
            ] : [type.kind.hasOneRecord ? ["id"] : []]
        return exceptions.map { (type.kind.name, $0) }
    }

    @Test(arguments: filled) func comesBack(kind: String, without exceptions: Set<String>) async throws {
        let type = try #require(Town.recordTypes.first { $0.kind.name == kind })
        try await comesBack(type, without: exceptions)
    }

    private func comesBack<Value: SookeModel.Record & WritableRecord>(
        _ type: Value.Type, without exceptions: Set<String>
    ) async throws {
        let record = FieldFiller<Value>.filled(without: exceptions)
        let town = try await TestTown.withAccounts()
        // First without most fields, so that there is a change in each.
        var before = Value()
        before.take(FieldSet<Value>(where: { $0.contains(.required) }), from: record)
        before.id = record.id
        if Value.self == Event.self { before.take(["starts_at", "starts_local"], from: record) }
        if Value.self is any SluggedRecord.Type {
            before.take(["slug"], from: record)
            if Value.fields.index(of: "name") != nil { before.take(["name"], from: Value()) }
        }
        var states: [(moment: Timestamp, record: Value)] = []
        for value in [before, record] {
            _ = try await town.store.write(by: .local) { transaction in
                transaction.append(.put(AnyRecord(value)))
            }
            states.append((town.store.current.time.at, value))
            town.clock.advance(bySeconds: 60)
        }
        let community = town.store.current.town
        try checkStored(record, in: community)
        try checkDatasets(record, of: community)
        try checkPatch(record)
        if let business = record as? Business { try checkMerged(business, in: community) }
        try await checkHistory(of: record, before, in: town)
        try await checkResponses(record, without: exceptions, in: town)
        try await checkFiles(record, of: town)
        try await checkRestored(states, from: town.folder.path)
    }

    /// The fields in which a record of a town differs.
    private func lost<Value: SookeModel.Record>(_ record: Value, in community: Town) throws -> [String] {
        let found = community.records(of: Value.kind, above: record.id - 1, limit: 1).first
        return record.difference(from: try #require(found as? Value)).names
    }

    private func checkStored<Value: SookeModel.Record>(_ record: Value, in community: Town) throws {
        #expect(try lost(record, in: community) == [], "in memory")
        var reader = JSONReader(record.written, limits: .trusted)
        #expect(record.difference(from: try Value(stored: &reader)).names == [], "as JSON")
        let unknown = Array(#"{"id":1,"from_the_future":1}"#.utf8)
        var newer = JSONReader(unknown, limits: .trusted)
        let error = #expect(throws: StoredRecordError.self) { try Value(stored: &newer) }
        #expect(error?.message.contains("from_the_future") == true)
    }

    /// Exports, imported into a town that does not have the record.
    private func checkDatasets<Value: SookeModel.Record>(_ record: Value, of community: Town) throws {
        for format in [ExportFormat.json, .ndjson] {
            let file = ImportFile(name: "x.\(format.rawValue)", bytes: Export(community).bytes(format))
            var transaction = WriteTransaction(community)
            transaction.append(.delete(Value.kind, id: record.id))
            _ = try Import(files: [file]).apply(to: &transaction)
            let lost = try lost(record, in: transaction.town)
            #expect(lost == [], "in an export as \(format)")
        }
        guard Value.csvLayout != nil else { return }
        let table = try #require(Export.Table(rawValue: Value.kind.collection))
        let file = ImportFile(name: "x.csv", bytes: Export(community).bytes(.csv, table: table))
        var transaction = WriteTransaction(community)
        transaction.append(.delete(Value.kind, id: record.id))
        _ = try Import(files: [file]).apply(to: &transaction)
        // The rows of hours get new IDs.
        let withoutColumn = FieldSet<Value>(where: { !$0.contains(.column) }).names + ["hours"]
        let lost = try lost(record, in: transaction.town)
        #expect(Set(lost).isSubset(of: withoutColumn), "in a table")
    }

    /// All that clients may set.
    private func checkPatch<Value: SookeModel.Record>(_ record: Value) throws {
        let given = FieldSet<Value>(where: { $0.isGiven })
        var (reader, problems) = (JSONReader(record.writtenMembers(given)), FieldProblems())
        let patch = try Patch<Value>(from: &reader, &problems)
        #expect(problems.isEmpty && patch.fields == given)
        var newer = JSONReader(Array(#"{"from_the_future":1}"#.utf8))
        _ = try Patch<Value>(from: &newer, &problems)
        #expect(problems.all.map(\.field) == ["from_the_future"])
        #expect(given.names.filter(record.difference(from: patch.values).names.contains) == [], "in a patch")
    }

    /// A business without anything gets all of one that is merged into it, but what distinguishes the two.
    private func checkMerged(_ record: Business, in community: Town) throws {
        var (transaction, other) = (WriteTransaction(community), Business())
        (other.id, other.name, other.slug) = (record.id + 1, "Other", Slug("other"))
        transaction.append(.put(AnyRecord(other)))
        let merged = try transaction.mergeBusiness(record.id, into: other.id, keepsOwner: true)
        let own = ["id", "name", "slug", "former_slugs", "confirmed_at", "confirmed_by"]
        #expect(record.difference(from: merged).names.filter { !own.contains($0) } == [], "merged")
    }

    private func checkHistory<Value: SookeModel.Record>(
        of record: Value, _ before: Value, in town: TestTown
    ) async throws {
        let path = "/api/v1/history?of=\(Value.kind.collection.replacing("_", with: "-"))/\(record.id)"
        let items = try #require(try await object(path, in: town)["items"] as? [[String: Any]])
        let changes = try #require(items.first?["changes"] as? [[String: Any]])
        let fields = Set(changes.compactMap { $0["field"] as? String })
        #expect(fields == Set(record.difference(from: before).names), "in its history")
    }

    /// The response with the record has all that is shown; a feed has it too.
    private func checkResponses<Value: SookeModel.Record>(
        _ record: Value, without exceptions: Set<String>, in town: TestTown
    ) async throws {
        guard Value.self is any SluggedRecord.Type else { return }
        let path = "/api/v1/\(Value.kind.collection.replacing("_", with: "-"))"
        let shown = FieldSet<Value>(where: { $0.contains(.shown) }).names
        // Nobody else sees why an event was rejected.
        let expected = shown.filter { $0 != "reason" && !($0 == "organizer" && exceptions.contains($0)) }
        let response: [String: Any]
        if Value.kind == .business || Value.kind == .event {
            response = try await object(path + "/every-field", in: town)
        } else {
            let items = try #require(try await object(path, in: town)["items"] as? [[String: Any]])
            response = try #require(items.first { $0["slug"] as? String == "every-field" })
        }
        #expect(expected.filter { response[$0] == nil || response[$0] is NSNull } == [], "in a response")
        let feed = try await town.send(.get, "/api/v1/changes")
        let lines = feed.text.split(separator: "\n").filter { $0.contains("every-field") }
        #expect(lines.contains { line in expected.allSatisfy { line.contains("\"\($0)\":") } }, "in the feed")
    }

    /// The log, then a snapshot.
    private func checkFiles<Value: SookeModel.Record>(_ record: Value, of town: TestTown) async throws {
        try await town.store.close()
        let options = StoreOptions(now: { TestClock().now }, onFailure: { Issue.record("the disk failed: \($0)") })
        for place in ["log", "snapshot"] {
            let store = try Store.open(town.folder.path, options: options).store
            #expect(try lost(record, in: store.current.town) == [], "in the \(place)")
            try await store.snapshot()
            try await store.close()
        }
    }

    /// The town at a time, as `restore --at` makes it.
    private func checkRestored<Value: SookeModel.Record>(
        _ states: [(moment: Timestamp, record: Value)], from folder: String
    ) async throws {
        let now = Timestamp(clampingSeconds: 2_000_000_000)
        let options = StoreOptions(now: { now }, onFailure: { Issue.record("the disk failed: \($0)") })
        for (moment, record) in states {
            let target = "\(folder)-\(moment.seconds)"
            defer { try? FileManager.default.removeItem(atPath: target) }
            let point = try PointInTime(moment, in: folder, now: now)
            let copy = try FolderCopy(
                of: point.last.sequence, from: point.survey, to: target, keepingRest: false, now: now)
            let store = try Store.open(copy.lockedFolder, options: options)
            #expect(try lost(record, in: store.current.town) == [], "at \(moment.rfc3339)")
            try await store.close()
        }
    }

    private func object(_ path: String, in town: TestTown) async throws -> [String: Any] {
        let response = try await town.ask(.get, path)
        #expect(response.status == .ok, "\(path): \(response.text)")
        return try #require(JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any])
    }
}
