import Bytes
import Foundation
import HTTP
import Platform
import SookeModel
import Store
import Synchronization
import Testing

@testable import API
@testable import Dispatcher
@testable import Service

/// The records of `TestTown`, five accounts, and a manual clock.
///
/// 1 is a super admin, 2 owns the business `zeds`, 3 and 4 are members, 5 owns the shed, which is not listed.
final class AdminTown {
    let store: Store
    let service: TownService
    let api: Dispatcher
    let folder: URL
    let audit = AuditMemory()
    private let clock = ManualClock()

    static let owner = TestTown.owner

    /// - Parameters:
    ///   - kinds: the kinds of record without rules of their own.
    ///   - onTime: called whenever the store reads the time, which it also does before it writes a batch.
    init(
        kinds: [any SluggedRecord.Type] = API.kinds, onTime: @escaping @Sendable () -> Void = {}
    ) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "sooke-admin-\(UUID().uuidString)")
        let clock = clock
        let options = StoreOptions(
            now: {
                onTime()
                return clock.now
            }, onFailure: { Issue.record("the disk failed: \($0)") })
        store = try Store.open(folder.path, options: options).store
        let zones = TimeZones(file: TimeZoneDatabase().file(named:))
        service = TownService(
            store: store, clock: TimeSource(monotonic: { clock.nanoseconds }, wall: { clock.now }), zones: zones,
            zone: try zones.zone(named: "America/Vancouver"), audit: audit)
        let rest = API(
            administration: Administration(
                facts: {
                    ProcessFacts(
                        startedAt: clock.now, uptimeSeconds: 0, residentBytes: 1 << 20, connections: 3,
                        version: "1.2.3", commit: "53472812c965", freeBytes: 7_000)
                }), kinds: kinds)
        api = Dispatcher(
            rest, service: service, crossOrigin: CrossOrigin(allowing: []), hosts: AllowedHosts(["town.example"]))
        _ = try await store.write(by: .local) { transaction in
            for (kind, json) in TestTown.records { try transaction.upsert(kind, json) }
            for (id, role) in [(1, "super_admin"), (2, "business_owner"), (3, "general_user"), (4, "general_user")] {
                try transaction.upsert(.person, #"{"id":\#(id),"email":"p\#(id)@town.example","role":"\#(role)"}"#)
            }
            try transaction.upsert(.person, #"{"id":5,"email":"p5@town.example","role":"business_owner"}"#)
            try transaction.upsert(.business, #"{"slug":"zeds","owner_id":2}"#)
            try transaction.upsert(.business, #"{"slug":"shed","owner_id":5}"#)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Advances the clock.
    func advance(seconds: Int) {
        clock.advance(seconds: seconds)
    }

    /// The header field with a new session of a person, or an API token with a scope.
    func authorization(of person: Int, scope: Credential.Scope? = nil) async throws -> (String, String) {
        let token = try Token(scope == nil ? .session : .api)
        let now = clock.now
        _ = try await store.write(by: .local) { transaction in
            var credential = Credential(scope == nil ? .session : .apiToken, token, at: now, lasting: 12 * 3600)
            (credential.person, credential.scope) = (person, scope)
            transaction.put(credential)
        }
        return ("Authorization", "Bearer \(token.reveal())")
    }

    /// The response to a request.
    func send(
        _ method: HTTP.Method, _ target: String, _ headers: [(String, String)] = [], body: String = "",
        from peer: Peer = TestTown.stranger
    ) async throws -> Response {
        await api.response(
            to: try Request(method, target, headers: headers.typed(body), body: Array(body.utf8), peer: peer))
    }

    /// Counts a response as the server does.
    func record(_ response: Response, duration: Int) {
        api.metrics.record(response.route, response.status, duration: duration)
    }

    /// The response to a request of the owner of the folder.
    func ask(_ method: HTTP.Method, _ target: String, body: String = "") async throws -> Response {
        try await send(method, target, body: body, from: Self.owner)
    }
}

/// An audit in memory.
final class AuditMemory: AuditTrail {
    private let lines = Mutex<[(book: AuditBook, line: [UInt8])]>([])

    func append(_ line: [UInt8], to book: AuditBook) {
        lines.withLock { $0.append((book, line)) }
    }

    func newest(_ limit: Int, of books: [AuditBook]) -> [[UInt8]] {
        lines.withLock { lines in
            lines.filter { books.contains($0.book) }.suffix(limit).reversed().map { $0.line.dropLast() }
        }
    }

    /// Takes all lines of a book, or of both, without their times.
    func take(_ book: AuditBook? = nil) -> [String] {
        let taken = lines.withLock { lines in
            let taken = lines.filter { book == nil || $0.book == book }
            lines.removeAll { book == nil || $0.book == book }
            return taken
        }
        return taken.map { entry in
            String(decoding: entry.line.dropLast(), as: UTF8.self)
                .replacing(/"at":"[^"]*",/, with: "")
        }
    }
}

/// A manual clock.
final class ManualClock: Sendable {
    private let seconds = Mutex(0)
    private static let start = Timestamp(clampingSeconds: 1_795_253_400)  // 2026-11-21T09:30:00Z

    var now: Timestamp { Self.start.advanced(bySeconds: seconds.withLock { $0 }) }
    var nanoseconds: Int { seconds.withLock { $0 } * 1_000_000_000 }

    func advance(seconds: Int) {
        self.seconds.withLock { $0 += seconds }
    }
}
