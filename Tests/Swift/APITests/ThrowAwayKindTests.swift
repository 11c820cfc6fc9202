import Foundation
import HTTP
import JSON
import Journal
import SookeModel
import Testing

@testable import API
@testable import Exchange
@testable import Store

/// A kind of record that is declared outside of the server passes through all of it: nothing lists the kinds by hand.
///
/// Each test runs in a process of its own, because the kinds are fixed once a town was made. Swift Testing does not say
/// which line of it failed; with `do {` instead, and no other test, it does.
@Suite struct ThrowAwayKindTests {
    /// The tables of people: one without the columns of a place.
    private static let table = """
        name,surface,kilometres,category
        Sea Walk,gravel,4,Bars
        Upper Hill,,2,

        """

    /// A town with the records of the table.
    private static func town() async throws -> AdminTown {
        let town = try await AdminTown(kinds: API.kinds + [Trail.self])
        let files = Import(files: [ImportFile(name: "trails.csv", bytes: Array(table.utf8))])
        let report = try await town.store.write(by: .local) { try files.apply(to: &$0) }.result
        #expect(report[Trail.kind].created == 2, "imported from a table")
        return town
    }

    private static func trail(_ slug: String, in town: Town) throws -> Trail {
        try #require(Trail.find(Slug(slug), in: town), "the trail \(slug)")
    }

    @Test func itIsListedShownAndChanged() async {
        await #expect(processExitsWith: .success) {
            Town.Tables.add(Trail.self)
            let town = try await Self.town()
            let list = try await town.ask(.get, "/api/v1/trails")
            #expect(
                list.text
                    == #"{"items":[{"id":1,"name":"Sea Walk","slug":"sea-walk","surface":"gravel","kilometres":4},"#
                    + #"{"id":2,"name":"Upper Hill","slug":"upper-hill","surface":null,"kilometres":2}]}"#)
            let patched = try await town.ask(.patch, "/api/v1/trails/sea-walk", body: #"{"surface":"roots"}"#)
            #expect(patched.status == .ok && patched.text.contains(#""surface":"roots""#), "\(patched.text)")
            let shown = try await town.ask(.get, "/api/v1/trails/sea-walk")
            #expect(shown.text == patched.text)
            let unknown = try await town.ask(.patch, "/api/v1/trails/sea-walk", body: #"{"from_the_future":1}"#)
            #expect(unknown.status == .unprocessableContent && unknown.text.contains("from_the_future"))
            let noCategory = try await town.ask(.patch, "/api/v1/trails/sea-walk", body: #"{"category":"none"}"#)
            #expect(noCategory.text.contains(#"there is no category \"none\""#), "\(noCategory.text)")
            let stranger = try await town.send(.patch, "/api/v1/trails/sea-walk", body: #"{"surface":"ice"}"#)
            #expect(stranger.status == .unauthorized)
            let added = try await town.ask(.post, "/api/v1/trails", body: #"{"name":"Third"}"#)
            #expect(added.status == .created)
            #expect(try await town.ask(.delete, "/api/v1/trails/third").status == .noContent)
            #expect(try await town.ask(.get, "/api/v1/trails/third").status == .notFound)
            let history = try await town.ask(.get, "/api/v1/history?of=trails/sea-walk")
            #expect(history.text.contains(#"{"field":"surface","before":"gravel","after":"roots"}"#))
            let description = try await town.ask(.get, "/openapi.json")
            #expect(description.text.contains(#""/api/v1/trails/{slug}""#) && description.text.contains("kilometres"))
        }
    }

    @Test func itsReferencesFollow() async {
        await #expect(processExitsWith: .success) {
            Town.Tables.add(Trail.self)
            let town = try await Self.town()
            let renamed = try await town.ask(.patch, "/api/v1/categories/bars", body: #"{"slug":"pubs"}"#)
            #expect(renamed.status == .ok)
            #expect(try Self.trail("sea-walk", in: town.store.current.town).category == Slug("pubs"))
            _ = try await town.ask(.post, "/api/v1/categories", body: #"{"name":"Walks"}"#)
            _ = try await town.ask(.patch, "/api/v1/trails/sea-walk", body: #"{"category":"walks"}"#)
            #expect(try await town.ask(.delete, "/api/v1/categories/walks").status == .conflict)
            // A log in which it has not followed is not what this program writes.
            var community = town.store.current.town
            let target = ReferenceTarget(kind: .category, id: try #require(community.categories[Slug("walks")]?.id))
            try community.apply(.delete(.category, id: target.id), at: nil)
            #expect(throws: InapplicableChange.self) { try community.checkReferences(to: target) }
        }
    }

    @Test func itIsExported() async {
        await #expect(processExitsWith: .success) {
            Town.Tables.add(Trail.self)
            let community = try await Self.town().store.current.town
            let trail = try Self.trail("sea-walk", in: community)
            for format in ExportFormat.allCases {
                let table = try #require(Export.Table(rawValue: "trails"))
                let file = ImportFile(
                    name: "x.\(format.rawValue)", bytes: Export(community).bytes(format, table: table))
                var transaction = WriteTransaction(community)
                for id in [1, 2] { transaction.append(.delete(Trail.kind, id: id)) }
                _ = try Import(files: [file]).apply(to: &transaction)
                let lost = trail.difference(from: try Self.trail("sea-walk", in: transaction.town)).names
                #expect(lost == [], "as \(format)")
            }
            // A file of a later version is refused by the name of what is not known.
            let later = #"{"trails":[{"name":"X","from_the_future":1}]}"#
            var transaction = WriteTransaction(community)
            let file = ImportFile(name: "later.json", bytes: Array(later.utf8))
            let problems = #expect(throws: ImportProblems.self) { try Import(files: [file]).apply(to: &transaction) }
            #expect(problems.map { "\($0)".contains("from_the_future") } == true)
        }
    }

    /// An export is read as what it is, though events have columns with such names.
    @Test func itsExportIsNoTableOfEvents() async {
        await #expect(processExitsWith: .success) {
            Town.Tables.add(Sailing.self)
            var transaction = WriteTransaction(Town())
            var patch = Patch<Sailing>()
            (patch.values.name, patch.values.when, patch.values.until) = ("Ferry", "Sundays", "May")
            patch.fields = ["name", "when", "until"]
            try transaction.create(patch)
            let table = try #require(Export.Table(rawValue: "sailings"))
            let file = ImportFile(name: "x.csv", bytes: Export(transaction.town).bytes(.csv, table: table))
            var other = WriteTransaction(Town())
            #expect(try Import(files: [file]).apply(to: &other)[Sailing.kind].created == 1)
            // A table of people is still one of events.
            let names = ["Name", "When", "Where"]
            let fits = CSVFileReader.tables.map { ($0.kind, $0.fit(names)) }
            #expect(fits.max { $0.1 < $1.1 }?.0 == .event)
        }
    }

    @Test func aClientFollowsIt() async {
        await #expect(processExitsWith: .success) {
            Town.Tables.add(Trail.self)
            let town = try await Self.town()
            var (client, walker) = (FeedReplica(), FeedReplica())
            func poll(_ client: inout FeedReplica, _ query: String = "") async throws {
                let since = client.position.map { "since=\($0)" } ?? "since=0"
                let response = try await town.send(.get, "/api/v1/changes?\(since)\(query)")
                #expect(response.status == .ok, "\(response.text)")
                #expect(try !client.receive(page: Array(response.text.utf8)))
            }
            let key = FeedReplica.Key(kind: "trail", id: 1)
            try await poll(&client)
            try await poll(&walker, "&topics=sea-walk")
            #expect(client.records[key]?.contains(#""kilometres":4"#) == true, "in the snapshot")
            #expect(walker.records.keys.sorted() == [key], "by its slug")
            _ = try await town.ask(.patch, "/api/v1/trails/sea-walk", body: #"{"surface":"roots"}"#)
            _ = try await town.ask(.post, "/api/v1/trails", body: #"{"name":"Third"}"#)
            _ = try await town.ask(.delete, "/api/v1/trails/third")
            for topics in ["", "&topics=trail"] {
                try await poll(&client, topics)
                #expect(client.records[key]?.contains(#""surface":"roots""#) == true, "after a change")
                #expect(client.records.keys.count { $0.kind == "trail" } == 2)
            }
            try await poll(&walker, "&topics=sea-walk")
            #expect(walker.records.mapValues { $0.contains("roots") } == [key: true])
            #expect(client.problems + walker.problems == [] && client.resets == 1)
        }
    }

    @Test func itIsRestored() async {
        await #expect(processExitsWith: .success) {
            Town.Tables.add(Trail.self)
            let town = try await Self.town()
            let imported = try Self.trail("sea-walk", in: town.store.current.town)
            let (before, moment) = (town.store.current.position, town.store.current.time.at)
            town.advance(seconds: 60)
            _ = try await town.ask(.patch, "/api/v1/trails/sea-walk", body: #"{"surface":"roots"}"#)
            let changed = try Self.trail("sea-walk", in: town.store.current.town)
            var backup: [UInt8] = []
            town.store.writeBackup(of: town.store.current) { backup += $0 }
            try await town.store.close()

            let folder = town.folder.path
            defer {
                for end in [".backup", ".then", ".now"] { try? FileManager.default.removeItem(atPath: folder + end) }
            }
            try Data(backup).write(to: URL(filePath: folder + ".backup"))
            let now = moment.advanced(bySeconds: 3600)
            let options = StoreOptions(now: { now }, onFailure: { Issue.record("the disk failed: \($0)") })
            func check(_ store: Store, _ expected: Trail, _ source: String) async throws {
                let found = try Self.trail("sea-walk", in: store.current.town)
                #expect(found.difference(from: expected).names == [] && found.times == expected.times, "from \(source)")
                try await store.snapshot()
                try await store.close()
            }
            let logged = try Store.open(folder, options: options).store
            let commits = try #require(logged.current.commits(after: before), "a client continues after a start")
            #expect(try #require(commits.first?.changeSet).items.map { $0.before?.ownSlug } == [Slug("sea-walk")])
            try await check(logged, changed, "the log")
            try await check(try Store.open(folder, options: options).store, changed, "a snapshot")
            let restored = try FolderCopy(ofSnapshot: folder + ".backup", to: folder + ".now", now: now)
            try await check(try Store.open(restored.lockedFolder, options: options), changed, "a backup")
            let point = try PointInTime(moment, in: folder, now: now)
            let copy = try FolderCopy(
                of: point.last.sequence, from: point.survey, to: folder + ".then", keepingRest: false, now: now)
            try await check(try Store.open(copy.lockedFolder, options: options), imported, "a past state")
        }
    }
}
