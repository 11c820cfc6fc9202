import Bytes
import Exchange
import Foundation
import HTTP
import Platform
import Service
import Store
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import API
@testable import ClientTestSupport
@testable import Dispatcher

/// A town in a folder of its own, whose server responds without a socket. Each request is one of the owner of the folder.
final class ClientTown: Sendable {
    let store: Store
    let clock = TestClock()
    private let api: Dispatcher
    private let folder: URL

    /// A town with the records of a dataset.
    init(_ dataset: Data) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sooke-client-\(UUID().uuidString)")
        let options = StoreOptions(now: { [clock] in clock.now }, onFailure: { Issue.record("the disk failed: \($0)") })
        store = try Store.open(folder.path, options: options).store
        let zones = TimeZones(file: TimeZoneDatabase().file(named:))
        let service = TownService(
            store: store, clock: clock.source, zones: zones, zone: try zones.zone(named: "America/Vancouver"),
            url: "https://town.example", limits: TownLimits(clock: clock.source, changesPerMinute: 1_000_000))
        api = Dispatcher(API(), service: service, crossOrigin: CrossOrigin(allowing: []))
        let file = ImportFile(name: "town.json", bytes: Array(dataset))
        _ = try await store.write(by: .local) { _ = try Import(files: [file]).apply(to: &$0) }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A town with a category, a pub, a café that is not listed, an event at the pub and one at a beach.
    static func small() async throws -> ClientTown {
        let dataset = #"""
            {"categories":[{"id":1,"name":"Bars"},{"id":2,"name":"Shops"}],
            "event_types":[{"id":1,"name":"Live Music"}],
            "businesses":[{"id":1,"category":"bars","name":"Pub","description":"Pints","phone":"250-555-0101","email":"",
            "address":"1 Wharf St","latitude":48.37,"longitude":-123.73,
            "hours":[{"day_of_week":5,"open_time":"11:30","close_time":"01:30"},{"day_of_week":0,"is_closed":true}],
            "menus":[{"name":"Taps","items":[{"name":"Ale","price":"7.50"}]}]},
            {"id":2,"name":"Café","address":"2 A","latitude":48,"longitude":-123}],
            "events":[{"id":1,"event_type":"live-music","business":"pub","name":"Concert",
            "starts_at":"2035-06-01T19:00:00-07:00","status":"approved"},
            {"id":2,"event_type":"live-music","latitude":48.25,"longitude":-123.5,"name":"Picnic",
            "starts_at":"2035-06-02T19:00:00Z","ends_at":"2035-06-02T21:00:00Z","status":"approved"}]}
            """#
        return try await ClientTown(Data(dataset.utf8))
    }

    /// The response to a request.
    func send(
        _ method: HTTP.Method, _ target: String, _ headers: [(String, String)] = [], body: String = "",
        from peer: Peer = .local(uid: 0, pid: 1)
    ) async throws -> Response {
        await api.response(
            to: try Request(method, target, headers: headers, body: Array(body.utf8), peer: peer))
    }

    /// A server whose requests this town responds to, as those of the owner of the folder.
    var server: MockServer { server(for: .local(uid: 0, pid: 1)) }

    /// A server whose requests this town responds to.
    func server(for peer: Peer) -> MockServer {
        MockServer(responder: { [self] request in
            do {
                let method = HTTP.Method.allCases.first { "\($0.name)" == request.httpMethod } ?? .get
                let (headers, body) = (
                    request.allHTTPHeaderFields ?? [:], String(decoding: request.body, as: UTF8.self)
                )
                var response = try await send(method, request.target, headers.map { ($0, $1) }, body: body, from: peer)
                // As a session does.
                if response.status.code == 301, let target = response.headers.first("Location") {
                    response = try await send(method, target, headers.map { ($0, $1) }, from: peer)
                }
                let names: [StaticString] = ["ETag", "Content-Type", "Retry-After"]
                let fields = names.compactMap { name in response.headers.first(name).map { ("\(name)", $0) } }
                return (
                    Int(response.status.code), Dictionary(uniqueKeysWithValues: fields),
                    String(decoding: response.body, as: UTF8.self)
                )
            } catch {
                return (400, [:], "\(error)")
            }
        })
    }
}
