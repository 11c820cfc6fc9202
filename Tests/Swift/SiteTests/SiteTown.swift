import API
import Bytes
import Dispatcher
import Foundation
import HTTP
import JSON
import Platform
import Service
import SookeModel
import Store
import Synchronization
import TestSupport
import Testing

@testable import Site

/// The pages of a small town in a real folder. It is Monday 23 November 2026, 4:12 pm in Vancouver.
final class SiteTown {
    let store: Store
    let clock = TestClock()
    let pages: Site
    let service: TownService
    private let site: Dispatcher
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sooke-site-\(UUID().uuidString)")

    /// - Parameters:
    ///   - records: what the town has.
    ///   - url: the address of the site.
    ///   - lastBackup: when it was backed up; nil for a town that needs no backup.
    init(
        _ records: [(RecordKind, String)] = SiteTown.records, url: String = "https://town.example",
        lastBackup: LastBackup? = nil
    ) async throws {
        let clock = clock
        clock.set(try #require(Timestamp(rfc3339: "2026-11-23T16:12:00-08:00")))
        store = try Store.open(folder.path, options: StoreOptions(now: { clock.now }, onFailure: { _ in })).store
        // The clocks of Vancouver as the tests know them, regardless of the database of the machine.
        let zones = TimeZones { TZifFixture.zones[$0]?.bytes ?? TimeZoneDatabase().file(named: $0) }
        var readsBackup: (@Sendable () -> LastBackup)?
        if let lastBackup { readsBackup = { lastBackup } }
        service = TownService(
            store: store, clock: clock.source, zones: zones, zone: try zones.zone(named: "America/Vancouver"), url: url,
            mailer: "sendmail", lastBackup: readsBackup)
        pages = Site(service)
        site = Dispatcher(pages, API(), service: service, crossOrigin: CrossOrigin(allowing: []))
        try await write(records)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A town, and the cookie of a person who is logged in.
    static func entered(by person: Int) async throws -> (town: SiteTown, cookie: String) {
        let town = try await SiteTown()
        return (town, try await town.logIn(person))
    }

    /// Stores records, or fields of those that the town has.
    func write(_ records: [(RecordKind, String)]) async throws {
        _ = try await store.write(by: .local) { transaction in
            for (kind, json) in records { try transaction.upsert(kind, json) }
        }
    }

    /// The response to a request of a browser.
    func send(
        _ method: HTTP.Method = .get, _ target: String, _ headers: [(String, String)] = [], body: String = "",
        from peer: Peer = visitor
    ) async throws -> Response {
        await site.response(to: try Request(method, target, headers: headers, body: Array(body.utf8), peer: peer))
    }

    /// The response to a form of a browser that was sent from a page of the site.
    func send(
        form fields: [(String, String)], to target: String, cookie: String? = nil, from peer: Peer = visitor
    ) async throws -> Response {
        let body = fields.map { PercentCoding.encode($0.utf8) + "=" + PercentCoding.encode($1.utf8) }
        var headers = [("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/x-www-form-urlencoded")]
        if let cookie { headers.append(("Cookie", cookie)) }
        return try await send(.post, target, headers, body: body.joined(separator: "&"), from: peer)
    }

    /// What the head of a request decides of its body.
    func admission(of request: Request) throws -> BodyAdmission { try site.admitBody(of: request) }

    /// A page as a person sees it.
    func page(_ target: String, cookie: String) async throws -> String {
        let response = try await send(.get, target, [("Cookie", cookie)])
        try #require(response.status == .ok, "\(target): \(response.status.code)")
        return response.text
    }

    /// Where a page offers to undo what was just done.
    func undoOffered(at target: String, cookie: String) async throws -> String {
        try #require(try await page(target, cookie: cookie).addresses.first { $0.hasPrefix("/undo/") }, "\(target)")
    }

    /// Waits until something has happened that no response waits for.
    func settled(_ isDone: (SiteTown) -> Bool) async throws {
        for _ in 0..<1_000 where !isDone(self) { try await Task.sleep(for: .milliseconds(2)) }
    }

    /// The address of a new link that confirms a business.
    func confirmationLink(of slug: String) async throws -> String {
        let version = store.current
        let context = RequestContext(
            caller: .owner, isSuperAdmin: true, network: ClientNetwork(localUser: 0), version: version)
        return service.link(for: try await service.issueConfirmationLink(Slug(slug), for: context).token)
    }

    /// Gives a person a password.
    func setPassword(_ password: String, of person: Int) async throws {
        let (hash, now) = (try PasswordHash.make(Password(password), cost: .lowest), clock.now)
        _ = try await store.write(by: .local) { transaction in
            transaction.put(PasswordRecord(of: person, hash: hash.stored, setAt: now))
        }
    }

    /// The cookie of a new session of a person with an account in the town.
    func logIn(_ person: Int) async throws -> String {
        let (token, now) = (try Token(.session), clock.now)
        _ = try await store.write(by: .local) { transaction in
            var session = Credential()
            (session.purpose, session.digest, session.person) = (.session, token.digest, person)
            (session.createdAt, session.expiresAt) = (now, now.advanced(bySeconds: 12 * 3600))
            transaction.put(session)
        }
        return "__Host-sooke=\(token.reveal())"
    }

    static let visitor = Peer.inet(address: "192.0.2.1", port: 1, isLoopback: false)

    /// A page that is there.
    func page(_ target: String) async throws -> String {
        let response = try await send(.get, target)
        try #require(response.status == .ok, "\(target): \(response.status.code)")
        return response.text
    }
}

extension SiteTown {
    /// How many e-mails wait.
    var mailCount: Int { store.current.town.mails.waitingCount }

    /// The e-mails that are due.
    func takeMails() async throws -> [MailMessage] {
        var mails: [MailMessage] = []
        while let mail = try await service.takeMail(from: nil) { mails.append(mail) }
        return mails
    }
}

extension SiteTown {
    /// One record a line, after its kind; what is indented goes on with it.
    static let records: [(RecordKind, String)] = text.replacing("\n    ", with: "").split(separator: "\n").map { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        let kinds = [RecordKind.category, .eventType, .business, .person, .event]
        return (kinds.first { $0.name == parts[0] } ?? .settings, String(parts[1]))
    }

    // A business may do without a location only where the town has a centre.
    private static let text = #"""
        settings {"name":"Sooke","center":"48.37,-123.72"}
        category {"id":1,"name":"Bars"}
        category {"id":2,"name":"Café & Bakery","slug":"café-bakery"}
        category {"id":3,"name":"Unused"}
        event_type {"id":1,"name":"Live Music"}
        event_type {"id":2,"name":"Sports"}
        business {"id":1,"category":"bars","name":"Zed's","slug":"zeds","former_slugs":["zed"],"address":"1 Wharf Road",
            "latitude":48.375,"longitude":-123.725,"phone":"250-555-0101","email":"hello@zeds.example",
            "website":"https://zeds.example/","description":"Beer of the coast.\nNo reservations.",
            "confirmed_at":"2026-11-02T18:00:00Z",
            "hours":[{"day_of_week":1,"open_time":"11:00","close_time":"01:30"},{"day_of_week":0,"is_closed":true}],
            "special_hours":[{"from":"2026-12-25","to":"2026-12-26","is_closed":true,"reason":"Feast"}],
            "menus":[{"id":1,"name":"Taps","items":[]},{"id":2,"name":"Lunch","description":"Until 3","items":[
            {"name":"soup","price":"4.50","description":"of the day"},{"name":"Éclair","price":"3.00"}]}]}
        business {"id":2,"category":"bars","name":"Anchor","address":"2 Wharf Road"}
        business {"id":3,"category":"café-bakery","name":"Éclair 100%","slug":"eclair","address":"3 Otter Point",
            "latitude":48.4,"longitude":-123.8,
            "hours":[{"day_of_week":1,"is_closed":true},{"day_of_week":2,"open_time":"07:00","close_time":"15:00"}]}
        business {"id":4,"name":"Shed","address":"4 Hidden Lane","latitude":48.1,"longitude":-123.1}
        business {"id":5,"category":"café-bakery","name":"Lantern","address":"5 Otter Point","phone":"250-555-0105",
            "hours":[{"day_of_week":1,"open_time":"11:00","close_time":"20:00"}],
            "special_hours":[{"from":"2026-11-01","is_closed":true,"reason":"Moved to Colwood"}]}
        user {"id":1,"email":"mia@private.example","display_name":"Mia Secretlast"}
        user {"id":12,"email":"olga@private.example","display_name":"Olga","role":"business_owner"}
        user {"id":13,"email":"ada@private.example","display_name":"Ada","role":"super_admin"}
        business {"slug":"zeds","owner_id":12}
        event {"id":1,"event_type":"live-music","business":"zeds","name":"Fiddle Night","status":"approved",
            "description":"Bring a bow.","submitted_by":1,"former_slugs":["fiddles"],
            "starts_at":"2026-11-27T19:00:00-08:00","ends_at":"2026-11-27T22:30:00-08:00"}
        event {"id":2,"event_type":"sports","name":"Regatta","status":"approved","latitude":48.36,"longitude":-123.72,
            "starts_at":"2026-11-28T10:00:00-08:00"}
        event {"id":3,"event_type":"sports","name":"Waiting Quiz","status":"pending_review","business":"zeds",
            "submitted_by":1,"starts_at":"2026-11-24T19:00:00-08:00"}
        event {"id":4,"event_type":"sports","name":"Yesteryear","status":"approved","starts_at":"2001-01-01T00:00:00Z"}
        event {"id":5,"event_type":"sports","name":"Trivia","status":"approved","business":"zeds",
            "starts_at":"2026-11-03T20:00:00-08:00","ends_at":"2026-11-03T22:00:00-08:00",
            "rrule":"FREQ=WEEKLY;UNTIL=20261216T075959Z",
            "overrides":[{"occurrence":"2026-12-01T20:00:00-08:00","is_cancelled":true}]}
        event {"id":6,"event_type":"live-music","name":"Bonfire","status":"cancelled",
            "starts_at":"2026-11-26T18:00:00-08:00"}
        event {"id":7,"event_type":"sports","name":"Walkout","status":"rejected","reason":"far too loud",
            "submitted_by":1,"starts_at":"2026-11-25T19:00:00-08:00"}
        event {"id":8,"event_type":"live-music","business":"shed","name":"Rehearsal","status":"approved",
            "starts_at":"2026-11-25T17:00:00-08:00"}
        """#
}

extension Response {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension WriteTransaction {
    /// Upserts a record given as JSON.
    mutating func upsert(_ kind: RecordKind, _ json: String) throws {
        var reader = JSONReader(Array(json.utf8))
        var problems = FieldProblems()
        let type = try #require(Town.recordType(of: kind))
        try upsert(type, from: &reader, &problems)
        #expect(problems.isEmpty, "\(json): \(problems)")
    }

    private mutating func upsert<Value: WritableRecord>(
        _ type: Value.Type, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws {
        try upsert(Patch<Value>(from: &reader, &problems))
    }
}
