import Bytes
import Foundation
import HTTP
import Platform
import SookeModel
import Store
import Synchronization
import TestSupport
import Testing

@testable import Dispatcher
@testable import Service

/// Which responses are coded in gzip, for whom, and that they say so.
@Suite struct ContentCodingTests {
    /// The fields of clients that take gzip, and those of others. The identity is always right, so doubt is a no.
    private static let accepting = [
        "gzip", "GZIP", "gZip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1", "\tgzip ", "br ,\tgzip ; q=0.5",
        "deflate,gzip", "gzip;q=1", "gzip;q=1.000", "gzip;q=0.001", "gzip;level=9", ",,gzip,", "*;q=0, gzip",
        "identity;q=0, gzip", "br;q=0, gzip", "gzip, *;q=0", String(repeating: "br, ", count: 1_800) + "gzip",
    ]
    private static let refusing = [
        "", "gzip;q=0", "gzip;q=0.0", "gzip;q=0.000", "gzip ; q=0", "gzip;Q=0", "GZIP;Q=0.00", "gzip;q=0, br",
        "gzip;;q=0", "br, gzip;level=9;q=0", "identity;q=0", "*", "*;q=0", "identity", "br", "deflate", "x-gzip",
        "gzipped", "gzi", "\"gzip\"", "gzip=1", ";gzip", "gzip/1", ";q=1", ",", "br;x=gzip",
        String(repeating: "gzip", count: 1_800), String(repeating: ";", count: 7_500),
        String(repeating: ",", count: 7_500),
    ]

    @Test func acceptEncoding() async throws {
        let town = try CodingTown()
        for (fields, isCoded) in [(Self.accepting.map(Optional.some), true), (Self.refusing + [nil], false)] {
            for field in fields {
                let response = try await town.get("/text", field)
                #expect(response.headers.all("Content-Encoding") == (isCoded ? ["gzip"] : []), "\(field ?? "none")")
                #expect((response.body == CodingTown.text) != isCoded)
                #expect((Gunzip.decompress(response.body) == CodingTown.text) == isCoded)
            }
        }
    }

    /// Of several fields the first one counts; so one more never makes a client get what it did not ask for.
    @Test(arguments: [(["gzip", "br"], true), (["br", "gzip"], false), (["gzip;q=0", "gzip"], false)])
    func severalFields(fields: [String], isCoded: Bool) async throws {
        let response = try await CodingTown().send(.get, "/text", fields.map { ("Accept-Encoding", $0) })
        #expect(response.headers.all("Content-Encoding") == (isCoded ? ["gzip"] : []))
    }

    /// What is coded for a client that takes it.
    @Test(arguments: [
        ("/text", true), ("/html", true), ("/json", true), ("/geojson", true), ("/svg", true), ("/image", false),
        ("/no-type", false), ("/999-bytes", false), ("/1000-bytes", true), ("/coded", false), ("/stream", false),
        ("/events", false), ("/missing", false), ("/not-cached", false),
    ])
    func responses(target: String, isCoded: Bool) async throws {
        let town = try CodingTown()
        let plain = try await town.get(target, nil)
        for _ in 1...2 {
            let response = try await town.get(target, "gzip")
            let body = isCoded ? Gunzip.decompress(response.body) : response.body
            #expect(body == plain.body && (response.body != plain.body) == isCoded)
            #expect(response.headers.all("Content-Encoding").contains("gzip") == isCoded)
            #expect(response.headers.first("Content-Type") == plain.headers.first("Content-Type"))
        }
        #expect(try await town.get(target, nil).body == plain.body)
    }

    /// What somebody sees with an account may have a secret beside what somebody else chose, and its length would tell.
    @Test func neverForAnAccount() async throws {
        let town = try CodingTown()
        let token = try await town.token()
        // The cache has both forms.
        for field in ["gzip", nil] { _ = try await town.get("/text", field) }
        for (headers, peer) in [
            ([("Authorization", "Bearer \(token.reveal())")], CodingTown.stranger), ([], Peer.local(uid: 0, pid: 1)),
        ] {
            let response = try await town.send(.get, "/text", headers + [("Accept-Encoding", "gzip")], from: peer)
            #expect(response.status == .ok && response.headers.first("Cache-Control") == "no-store")
            #expect(response.headers.first("Content-Encoding") == nil && response.body == CodingTown.text)
        }
        let wrong = try await town.send(.get, "/text", [("Authorization", "Bearer x"), ("Accept-Encoding", "gzip")])
        #expect(wrong.status == .unauthorized && wrong.headers.first("Content-Encoding") == nil)
    }

    /// Each form has a tag of its own, and its client gets 304 by it.
    @Test(arguments: ["/text", "/record"])
    func tags(target: String) async throws {
        let town = try CodingTown()
        let (plain, coded) = (try await town.get(target, nil), try await town.get(target, "gzip"))
        let tag = try #require(plain.headers.first("ETag"))
        let codedTag = try #require(coded.headers.first("ETag"))
        #expect(tag != codedTag && codedTag.hasPrefix("\"") && codedTag.hasSuffix("\""))
        #expect(coded.headers.all("ETag").count == 1)
        for (known, field, status) in [
            (tag, nil, Status.notModified), (codedTag, "gzip", .notModified), ("W/\(codedTag)", "gzip", .notModified),
            ("\(tag), \(codedTag)", nil, .notModified), ("\(tag), \(codedTag)", "gzip", .notModified),
            // The bytes of the other form are others.
            (tag, "gzip", .ok), (codedTag, nil, .ok),
        ] {
            let response = try await town.get(target, field, [("If-None-Match", known)])
            #expect(response.status == status, "\(known) with \(field ?? "nothing")")
            #expect(response.body.isEmpty == (status == .notModified))
            #expect(response.headers.first("ETag") == (field == nil ? tag : codedTag))
            #expect(response.headers.all("Vary") == ["Accept, Accept-Encoding, Authorization, Cookie, Origin"])
        }
    }

    /// A write names the version that it saw, in whichever form.
    @Test func theTagOfTheCodedFormNamesTheSameRecord() async throws {
        let town = try CodingTown()
        let tag = try #require(try await town.get("/record", "gzip").headers.first("ETag"))
        for (field, wanted, status) in [
            (nil, tag, Status.ok), ("gzip", tag, .ok), (nil, "\"0000000000000001.2\"", .preconditionFailed),
        ] {
            #expect(try await town.get("/record", field, [("If-Match", wanted)]).status == status)
        }
    }

    /// Both forms end together.
    @Test func theCacheForgetsBothForms() async throws {
        let town = try CodingTown()
        let first = try await town.get("/clock", "gzip")
        town.clock.advance(bySeconds: 30)
        #expect(try await town.get("/clock", "gzip").body == first.body)
        town.clock.advance(bySeconds: 31)
        let second = try await town.get("/clock", "gzip")
        #expect(second.body != first.body && second.headers.first("Content-Encoding") == "gzip")
        #expect(try await town.get("/clock", nil).body == Gunzip.decompress(second.body))
    }
}

/// A server with responses of all kinds.
private final class CodingTown {
    static let text = Array(String(repeating: "Chowder & yoga. ", count: 300).utf8)
    static let stranger = Peer.inet(address: "192.0.2.1", port: 1, isLoopback: false)

    let clock = TestClock()
    private let store: Store
    private let dispatcher: Dispatcher
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sooke-coding-\(UUID().uuidString)")

    init() throws {
        let clock = clock
        store = try Store.open(folder.path, options: StoreOptions(now: { clock.now }, onFailure: { _ in })).store
        let zones = TimeZones(file: TimeZoneDatabase().file(named:))
        let service = TownService(
            store: store, clock: clock.source, zones: zones, zone: try zones.zone(named: "Etc/UTC"))
        dispatcher = Dispatcher(CodedPart(), service: service, crossOrigin: CrossOrigin(allowing: []))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func send(
        _ method: HTTP.Method, _ target: String, _ headers: [(String, String)], from peer: Peer = stranger
    ) async throws -> Response {
        await dispatcher.response(to: try Request(method, target, headers: headers, peer: peer))
    }

    /// The response to a client with a field `Accept-Encoding`; nil for none.
    func get(_ target: String, _ coding: String?, _ headers: [(String, String)] = []) async throws -> Response {
        try await send(.get, target, headers + (coding.map { [("Accept-Encoding", $0)] } ?? []))
    }

    /// The token of a new account.
    func token() async throws -> Token {
        let (token, now) = (try Token(.session), clock.now)
        _ = try await store.write(by: .local) { transaction in
            var person = Patch<Person>()
            (person.values.email, person.values.role) = ("ada@town.example", .superAdmin)
            person.fields = ["email", "role"]
            try transaction.upsert(person)
            var session = Credential(.session, token, at: now, lasting: 3600)
            session.person = 1
            transaction.put(session)
        }
        return token
    }
}

private struct CodedPart: RoutedApplication {
    let endpoints: [(method: HTTP.Method, pattern: String, endpoint: Endpoint)] = [
        cached("/text", "text/plain; charset=utf-8"), cached("/html", "text/html"), cached("/json", "application/json"),
        cached("/geojson", "application/geo+json"), cached("/svg", "image/svg+xml"), cached("/image", "image/png"),
        cached("/no-type", nil), cached("/999-bytes", "text/plain", Array(CodingTown.text.prefix(999))),
        cached("/1000-bytes", "text/plain", Array(CodingTown.text.prefix(1_000))),
        cached("/record", "application/json", tag: "\"0123456789abcdef.5\""),
        cached("/coded", "text/plain", coding: "br"),
        streamed("/stream", "text/plain"), streamed("/events", "text/event-stream"),
        (
            .get, "/not-cached",
            Endpoint(
                .anyone,
                handler: .read { _ in Response(headers: ["Content-Type": "text/plain"], body: CodingTown.text) })
        ),
        (
            .get, "/clock",
            Endpoint(
                .anyone,
                handler: .cachedRead { call in
                    let body = Array("\(call.now.seconds) ".utf8) + CodingTown.text
                    return CacheableResponse(
                        response: Response(headers: ["Content-Type": "text/plain"], body: body),
                        until: call.now.advanced(bySeconds: 60))
                })
        ),
    ]

    private static func streamed(
        _ path: String, _ type: String
    ) -> (method: HTTP.Method, pattern: String, endpoint: Endpoint) {
        let endpoint = Endpoint(
            .anyone,
            handler: .cachedRead { _ in
                let stream = BodyStream(OnePart(), length: CodingTown.text.count)
                return CacheableResponse(
                    response: Response(headers: ["Content-Type": type], stream: stream), until: .endOfTime)
            })
        return (.get, path, endpoint)
    }

    private static func cached(
        _ path: String, _ type: String?, _ body: [UInt8] = CodingTown.text, tag: String? = nil, coding: String? = nil
    ) -> (method: HTTP.Method, pattern: String, endpoint: Endpoint) {
        let endpoint = Endpoint(
            .anyone,
            handler: .cachedRead { _ in
                var response = Response(body: body)
                if let type { response.headers.add("Content-Type", type) }
                if let coding { response.headers.add("Content-Encoding", coding) }
                response.headers.add("ETag", tag ?? String(decoding: EntityTag(of: body).bytes, as: UTF8.self))
                return CacheableResponse(response: response, until: .endOfTime)
            })
        return (.get, path, endpoint)
    }

    func response(_ outcome: Outcome, to call: Call) -> Response { Response() }

    func httpError(_ error: any Error, of call: Call) -> HTTPError { HTTPError(error) }

    func response(failing error: HTTPError, _ id: RequestID?) -> Response {
        Response(error.status, headers: ["Content-Type": "text/plain"], body: CodingTown.text)
    }
}

/// A body that is produced while it is sent, in one part.
private final class OnePart: BodySource {
    private let isSent = Mutex(false)

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        isSent.withLock { isSent in
            defer { isSent = true }
            return isSent ? .end : .bytes(CodingTown.text)
        }
    }

    func end() {}
}
