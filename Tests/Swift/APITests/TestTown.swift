import Service
import Bytes
import Foundation
import HTTP
import JSON
import Journal
import Platform
import SookeModel
import Store
import Synchronization
import TestSupport
import Testing

@testable import API
@testable import Dispatcher

/// A small town in a real folder, whose clock starts at 2026-11-21T09:30:00Z, a Saturday at 01:30 in Vancouver.
final class TestTown {
    let store: Store
    let service: TownService
    let api: Dispatcher
    let routes: [(method: HTTP.Method, pattern: String, route: Route)]
    let clock: TestClock
    let audit = AuditMemory()
    let folder: TestFolder

    static let records: [(RecordKind, String)] = [
        (.category, #"{"id":1,"name":"Bars"}"#),
        (.category, #"{"id":2,"name":"Café & Bakery","slug":"café-bakery"}"#),
        (.eventType, #"{"id":1,"name":"Live Music"}"#),
        (.eventType, #"{"id":2,"name":"Sports"}"#),
        (
            .business,
            """
            {"id":1,"category":"bars","name":"Zed's","slug":"zeds","address":"1 A","latitude":48.5,"longitude":-123,
            "hours":[{"day_of_week":6,"open_time":"11:00","close_time":"01:30"},{"day_of_week":0,"is_closed":true}],
            "menus":[{"id":1,"name":"Taps","items":[]},{"id":2,"name":"Lunch","items":[
            {"name":"soup","price":"4.50"},{"name":"Éclair","price":"3.00"}]}]}
            """
        ),
        (.business, #"{"id":2,"category":"bars","name":"anchor","address":"2 A","latitude":48,"longitude":-123}"#),
        (
            .business,
            #"{"id":3,"category":"café-bakery","name":"Éclair 100%","address":"3 A","latitude":48,"longitude":-123}"#
        ),
        (.business, #"{"id":4,"name":"Shed","address":"4 A","latitude":1,"longitude":2}"#),
        (
            .event,
            #"{"id":1,"event_type":"live-music","business":"shed","name":"Fiddle Night","#
                + #""starts_at":"2035-06-01T19:00:00-07:00","ends_at":"2035-06-01T22:30:00.5-07:00","status":"approved"}"#
        ),
        (
            .event,
            #"{"id":2,"event_type":"sports","name":"Regatta","latitude":48.36,"longitude":-123.72,"#
                + #""starts_at":"2035-05-01T16:00:00Z","status":"approved"}"#
        ),
        (.event, #"{"id":3,"event_type":"sports","name":"Draft","starts_at":"2035-05-01T16:00:00Z"}"#),
        (
            .event,
            #"{"id":4,"event_type":"sports","name":"Past","starts_at":"2001-01-01T00:00:00Z","status":"approved"}"#
        ),
    ]

    /// - Parameters:
    ///   - kinds: the kinds of record without rules of their own.
    ///   - fileSystem: the disk under the folder.
    ///   - more: what else is in its first commit.
    convenience init(
        kinds: [any SluggedRecord.Type] = API.kinds, fileSystem: some FileSystem = POSIXFileSystem(),
        more: @escaping @Sendable (inout WriteTransaction) throws -> Void = { _ in }
    ) async throws {
        try self.init(TestFolder(), TestClock(), kinds, fileSystem, zoneData: "2025b", build: "1")
        _ = try await store.write(by: .local) { transaction in
            for (kind, json) in Self.records { try transaction.upsert(kind, json) }
            try more(&transaction)
        }
    }

    private init(
        _ folder: TestFolder, _ clock: TestClock, _ kinds: [any SluggedRecord.Type], _ fileSystem: some FileSystem,
        zoneData: String, build: String
    ) throws {
        (self.folder, self.clock) = (folder, clock)
        // The use of a session may still be written when the test ends and the folder is removed.
        let onFailure: @Sendable (StoreError) -> Void = { [weak folder] error in
            if folder != nil { Issue.record("the disk failed: \(error)") }
        }
        let options = StoreOptions(now: { clock.now }, onFailure: onFailure)
        let store = try Store.open(folder.path, fileSystem: fileSystem, options: options).store
        let zones = TimeZones(version: zoneData, file: TimeZoneDatabase().file(named:))
        service = TownService(
            store: store, clock: clock.source, zones: zones, zone: try zones.zone(named: "America/Vancouver"),
            url: "https://town.example", mailer: "sendmail", audit: audit)
        self.store = store
        let rest = API(
            administration: Administration(
                facts: {
                    ProcessFacts(
                        startedAt: clock.now, uptimeSeconds: 0, residentBytes: 1 << 20, connections: 3,
                        version: "1.2.3", commit: "53472812c965", freeBytes: 7_000)
                }), kinds: kinds)
        routes = rest.routes
        api = Dispatcher(
            rest, service: service, crossOrigin: CrossOrigin(allowing: ["http://localhost:8080"]),
            hosts: AllowedHosts(["town.example"]), build: build)
    }

    /// The newest position, as clients get it who see only what is public.
    var position: String { service.publicPosition(store.current.position) }

    /// The town after a restart of the server, perhaps another build of it, or with other zone data.
    func reopened(zoneData: String = "2025b", build: String = "1") async throws -> TestTown {
        try await store.close()
        return try TestTown(folder, clock, API.kinds, POSIXFileSystem(), zoneData: zoneData, build: build)
    }

    /// The client on the socket in the data folder.
    static let owner = Peer.local(uid: 0, pid: 1)
    /// Any other client.
    static let stranger = Peer.inet(address: "127.0.0.1", port: 1, isLoopback: true)

    /// The response to a request; a body is JSON unless the fields name another type.
    func send(
        _ method: HTTP.Method, _ target: String, _ headers: [(String, String)] = [], body: String = "",
        from peer: Peer = stranger
    ) async throws -> Response {
        do throws(HTTPError) {
            return await api.response(
                to: try Request(method, target, headers: headers.typed(body), body: Array(body.utf8), peer: peer))
        } catch {
            return api.response(refusing: RefusedRequest(), error)
        }
    }
}

/// The type of most bodies.
enum JSONBody {
    static let field = ("Content-Type", "application/json")
}

extension [(String, String)] {
    /// The fields of a request with a body, which is JSON unless they name another type.
    func typed(_ body: String) -> Self {
        body.isEmpty || contains { $0.0 == JSONBody.field.0 } ? self : self + [JSONBody.field]
    }
}

extension WriteTransaction {
    /// Upserts a record given as JSON.
    mutating func upsert(_ kind: RecordKind, _ json: String) throws {
        var reader = JSONReader(Array(json.utf8))
        var problems = FieldProblems()
        let type = try #require(Town.recordType(of: kind))
        try upsert(type, from: &reader, &problems)
        #expect(problems.isEmpty)
    }

    private mutating func upsert<Value: WritableRecord>(
        _ type: Value.Type, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws {
        try upsert(Patch<Value>(from: &reader, &problems))
    }
}

/// A folder that is removed with its last reference.
final class TestFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "sooke-api-\(UUID().uuidString)").path

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
