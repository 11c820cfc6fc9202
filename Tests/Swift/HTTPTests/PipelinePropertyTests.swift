import TestSupport
import Testing

@testable import HTTP

/// Request smuggling: two requests are never read as one, nor one as two.
///
/// Valid, refused and malformed requests in any mixture, cut anywhere, with immediate or deferred responses: the result
/// is that of each by itself, up to the first malformed one. Nothing after that one is ever read as a request.
@Suite struct PipelinePropertyTests {
    /// A request, its result, and whether the start of the next one is unknown afterwards.
    private struct Part {
        let text: String
        let event: String
        var isBroken = false

        init(_ text: String, _ event: String) {
            (self.text, self.event) = (text, event)
        }

        /// A `POST` that ends the connection; `GET /smuggled` is where a weaker reader would find a request.
        init(broken fields: String, body: String = "", status: String = "400") {
            text = "POST /b HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)\(Self.smuggled)"
            (event, isBroken) = (status, true)
        }

        static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    private static let sound: [Part] = {
        let inner = Part.smuggled
        let length = inner.utf8.count
        let size = String(length, radix: 16)
        return [
            Part("GET /g HTTP/1.1\r\nHost: a\r\n\r\n", "GET /g"),
            Part("\r\nHEAD /h?q HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "HEAD /h?q"),
            Part("GET http://b/a HTTP/1.1\r\nHost: a\r\n\r\n", "GET http://b/a"),
            Part("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(inner)", "POST /p [\(inner)]"),
            Part(
                "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n0\r\n\r\n\r\n\(size)\r\n\(inner)\r\n0\r\n\r\n",
                "PUT /c [0\r\n\r\n\(inner)]"),
            Part(
                "POST /t HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;e=\"0\"\r\nx\r\n0\r\nContent-Length: 40\r\n\r\n",
                "POST /t [x]"),
            Part("BREW /m HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(inner)", "501"),
            Part("GET /%00 HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(inner)", "400 to a request"),
            Part(
                "POST /e HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nContent-Length: \(length)\r\n\r\n\(inner)",
                "417 to a request"),
            Part(
                "POST /l HTTP/1.1\r\nHost: a\r\nContent-Length: \(length * 30)\r\n\r\n"
                    + String(repeating: inner, count: 30), "413 to a request"),
        ]
    }()

    private static let broken = [
        Part(broken: "Content-Length: 5\r\nTransfer-Encoding: chunked", body: "0\r\n\r\n"),
        Part(broken: "Transfer-Encoding: chunked\r\nContent-Length: 0", body: "0\r\n\r\n"),
        Part(broken: "Content-Length: 0\r\nContent-Length: 39"), Part(broken: "Content-Length: 0, 0"),
        Part(broken: "Content-Length: +0"), Part(broken: "Content-Length: 0x0"), Part(broken: "Content-Length : 0"),
        Part(broken: "Content-Length:\r\n 39"), Part(broken: "X: y\n\nContent-Length: 39"),
        Part(broken: "Transfer-Encoding : chunked", body: "0\r\n\r\n"),
        Part(broken: "Transfer-Encoding:\u{B}chunked", body: "0\r\n\r\n"),
        Part(broken: "Transfer-Encoding: x\r\nTransfer-Encoding: chunked", body: "0\r\n\r\n", status: "501"),
        Part(broken: "Transfer-Encoding: identity", body: "0\r\n\r\n", status: "501"),
        Part(broken: "Transfer-Encoding: chunked", body: "0\n\n"),
        Part(broken: "Transfer-Encoding: chunked", body: "\r\n"),
        Part(broken: "Transfer-Encoding: chunked", body: "1\r\nxy\r\n0\r\n\r\n"),
        Part(broken: "Transfer-Encoding: chunked", body: "-0\r\n\r\n"),
        Part(broken: "Transfer-Encoding: chunked", body: "0;\n\r\n\r\n"),
        Part(broken: "Transfer-Encoding: chunked", body: "0\r\nX:\n\r\n"),
        Part(broken: "Host: b"), Part(broken: "Transfer-Encoding: chunked", body: "3e9\r\n", status: "413"),
    ]

    @Test(arguments: 0..<40)
    func everyRequestIsWhatItIsByItself(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<25 {
            var parts: [Part] = (0..<random.below(6)).map { _ in random.pick(Self.sound) }
            if random.once(in: 2) { parts.append(random.pick(Self.broken)) }
            parts += (0..<random.below(3)).map { _ in random.pick(Self.sound) }
            let text = Array(parts.map(\.text).joined().utf8)
            let read = parts.prefix { !$0.isBroken } + parts.drop { !$0.isBroken }.prefix(1)
            let connection = Self.connection(random.once(in: 2) ? random.next() : nil)
            Self.send(text, to: connection, &random)
            let events = connection.events.filter { !["waits", "lingers", "closes"].contains($0) }
            #expect(events == read.map(\.event), "\(String(decoding: text, as: UTF8.self))")
            #expect(connection.statuses.count == read.count)
            #expect(connection.state.hasEnded == parts.contains { $0.isBroken })
        }
    }

    /// - Parameter deferring: chooses which requests get a deferred response; nil for none.
    private static func connection(_ deferring: UInt64?) -> ConnectionHarness {
        let connection = ConnectionHarness()
        if let deferring { connection.defers = { (deferring >> UInt64($0.target.count % 64)) & 1 == 1 } }
        return connection
    }

    private static func send(_ text: [UInt8], to connection: ConnectionHarness, _ random: inout SplitMix64) {
        var rest = text[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 + random.below(random.once(in: 3) ? 200 : 9))
            rest = rest.dropFirst(piece.count)
            connection.receive(piece)
            if random.once(in: 3) { answerOne(connection, &random) }
        }
        while answerOne(connection, &random) {}
    }

    @discardableResult
    private static func answerOne(_ connection: ConnectionHarness, _ random: inout SplitMix64) -> Bool {
        let unanswered = connection.state.awaitedNumbers
        guard !unanswered.isEmpty else { return false }
        connection.respond(random.pick(unanswered), "x")
        return true
    }
}
