import Glibc
import Synchronization
import Testing

@testable import HTTP

/// Bodies that are produced while they are sent, over sockets of this machine.
@Suite struct BodyStreamTests {
    /// Responds to each path with the stream of a test.
    private func server(
        _ streams: [String: @Sendable () -> BodyStream], observe: (@Sendable (AccessRecord) -> Void)? = nil
    ) throws -> LiveServer {
        try LiveServer(
            observe: observe, configure: { $0.limits.streamRate = 1_000_000_000_000 },
            responder: { request in
                let path = String(decoding: request.path.encoded, as: UTF8.self)
                guard let stream = streams[path] else { return echo(request) }
                return .now(Response(headers: ["X": "y"], stream: stream()))
            })
    }

    @Test func framesABodyAsItsClientUnderstands() throws {
        let server = try server([
            "/chunks": { BodyStream(Script(texts: ["one", "two"])) },
            "/length": { BodyStream(Script(texts: ["one", "two"]), length: 6) },
            "/empty": { BodyStream(Script(texts: [])) },
        ])
        let chunks = "3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"
        let (chunked, sized) = ("Transfer-Encoding: chunked", "Content-Length: 6")
        for (start, path, fields, framing, body) in [
            ("GET", "/chunks HTTP/1.1", "Connection: close", chunked as String?, chunks),
            ("HEAD", "/chunks HTTP/1.1", "Connection: close", chunked, ""),
            ("GET", "/length HTTP/1.1", "Connection: close", sized, "onetwo"),
            ("GET", "/empty HTTP/1.1", "Connection: close", chunked, "0\r\n\r\n"),
            ("GET", "/chunks HTTP/1.0", "X: y", nil, "onetwo"),
            ("GET", "/chunks HTTP/1.0", "Connection: keep-alive", nil, "onetwo"),
            ("GET", "/length HTTP/1.0", "X: y", sized, "onetwo"),
        ] {
            let client = try server.connect()
            client.send("\(start) \(path)\r\nHost: a\r\n\(fields)\r\n\r\n")
            let response = client.rest()
            let parts = response.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            #expect(String(parts.last ?? "") == body, "\(start) \(path)")
            let framed = parts[0].split(separator: "\r\n").filter {
                $0.hasPrefix("Content-Length") || $0.hasPrefix("Transfer-Encoding")
            }
            #expect(framed.map(String.init) == [framing].compactMap(\.self), "\(start) \(path)")
            #expect(parts[0].contains("\r\nConnection: close"), "\(start) \(path)")
        }
    }

    /// An incomplete body must not look complete.
    @Test(arguments: [
        ("failed", nil as Int?), ("short", 7), ("long", 5),
    ])
    func aBodyThatCannotBeCompletedBreaksOff(_ name: String, _ length: Int?) throws {
        let parts: [BodyPart] = [.bytes(Array("onetwo".utf8)), name == "failed" ? .failed : .end]
        let server = try server(["/": { BodyStream(Script(parts), length: length) }])
        let client = try server.connect()
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = client.rest()
        #expect(!response.hasSuffix("0\r\n\r\n"))
        if let length { #expect(response.components("\r\n\r\n").last?.utf8.count != length) }
        #expect(try server.connect().get("/a").status == 200)
    }

    /// The source is woken by another thread, and ends when its client disconnects.
    @Test func aSourceCanWaitForOtherThreads() throws {
        let source = Feed()
        let observed = Mutex<[Int]>([])
        let server = try server(
            ["/": { BodyStream(source) }], observe: { record in observed.withLock { $0.append(record.bytes) } })
        let client = try server.connect()
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.receive().fields["Transfer-Encoding"] == "chunked")
        for word in ["first", "second"] {
            source.publish(word)
            #expect(client.text(ending: "\(word)\r\n") == "\(String(word.utf8.count, radix: 16))\r\n\(word)\r\n")
        }
        #expect(observed.withLock { $0 } == [])
        client.reset()
        try wait { source.hasEnded }
        try wait { observed.withLock { $0 } == [11] }
    }

    /// A client that closes its side receives what is ready, and the end; so do its earlier requests.
    @Test func anEndlessBodyEndsWhenItsClientClosesItsSide() throws {
        let source = Feed()
        let observed = Mutex<[Int]>([])
        let server = try server(
            ["/": { BodyStream(source, isEndless: true) }],
            observe: { record in observed.withLock { $0.append(record.bytes) } })
        let client = try server.connect()
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try client.receive()
        source.publish("first")
        #expect(client.text(ending: "first\r\n") == "5\r\nfirst\r\n")
        client.closeOutput()
        #expect(client.text(ending: "\r\n\r\n") == "0\r\n\r\n")
        #expect(client.rest().hasSuffix("\r\n\r\nGET /a "))
        try wait { source.hasEnded }
        #expect(observed.withLock { $0 }.contains(5))
    }

    /// A client that sends its request and closes its side at once, like `nc -N`.
    @Test func anEndlessBodyBeginsForAClientThatHasClosedItsSide() throws {
        let source = Feed()
        let room = WaitingRoom()
        let server = try LiveServer(responder: { request in
            if request.path.encoded.elementsEqual("/wait".utf8) { return room.enter(request) }
            return .now(Response(stream: BodyStream(source, isEndless: true)))
        })
        source.publish("first")
        let client = try server.connect()
        client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        client.closeOutput()
        try room.waitFor(1)
        room.answerAll(reversed: false)
        #expect(client.rest().hasSuffix("\r\n\r\n5\r\nfirst\r\n0\r\n\r\n"))
        try wait { source.hasEnded }
    }

    @Test func aWrittenBodyArrivesWholeAndItsWriterStopsWhenTheClientLeaves() throws {
        let wasStopped = Atomic<Bool>(false)
        let server = try server([
            "/whole": {
                .written { output throws(BodyStream.Closed) in
                    for number in 0..<100 { try output([UInt8](repeating: UInt8(number), count: 1000 * number)) }
                }
            },
            "/endless": {
                .written { output throws(BodyStream.Closed) in
                    defer { wasStopped.store(true, ordering: .relaxed) }
                    while true { try output([UInt8](repeating: 0, count: 65_536)) }
                }
            },
        ])
        let reader = try server.connect()
        reader.send("GET /whole HTTP/1.0\r\nHost: a\r\n\r\n")
        let body = reader.restOfBytes()
        let start = try #require(body.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound)
        #expect(body[start...].elementsEqual((0..<100).flatMap { [UInt8](repeating: UInt8($0), count: 1000 * $0) }))
        let leaver = try server.connect()
        leaver.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
        _ = try leaver.receive()
        leaver.reset()
        try wait { wasStopped.load(ordering: .relaxed) }
    }
}

/// A source that returns some parts.
private final class Script: BodySource {
    private let parts: Mutex<[BodyPart]>

    init(_ parts: [BodyPart]) {
        self.parts = Mutex(parts)
    }

    convenience init(texts: [String]) {
        self.init(texts.map { .bytes(Array($0.utf8)) } + [.end])
    }

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        parts.withLock { $0.isEmpty ? .failed : $0.removeFirst() }
    }

    func end() {}
}

/// A source with parts that a test publishes.
private final class Feed: BodySource {
    private let state = Mutex<(words: [String], wakeup: BodyWakeup?, hasEnded: Bool)>(([], nil, false))

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func publish(_ word: String) {
        let wakeup = state.withLock { state in
            state.words.append(word)
            return state.wakeup.take()
        }
        wakeup?()
    }

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        state.withLock { state in
            guard state.words.isEmpty else { return .bytes(Array(state.words.removeFirst().utf8)) }
            state.wakeup = wakeup
            return .pending
        }
    }

    func end() {
        state.withLock { $0.hasEnded = true }
    }
}
