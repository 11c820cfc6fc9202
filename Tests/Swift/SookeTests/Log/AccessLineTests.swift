import Bytes
import Foundation
import Testing

@testable import HTTP
@testable import sooke

@Suite struct AccessLineTests {
    static let moment = Timestamp(microseconds: 1_795_253_400_123_999)

    @Test func writesText() {
        #expect(
            line(.text, Self.record("/api/v1/businesses?page=2")) == """
                time=2026-11-21T09:30:00.123Z method=GET target="/api/v1/businesses?page=2" status=200 bytes=6912 \
                ms=0.113 peer=127.0.0.1 id=me-1

                """)
    }

    @Test func writesJSON() {
        #expect(
            line(.json, Self.record("/api/v1/businesses?page=2")) == """
                {"time":"2026-11-21T09:30:00.123Z","method":"GET","target":"/api/v1/businesses?page=2","status":200,\
                "bytes":6912,"ms":0.113,"peer":"127.0.0.1","request_id":"me-1"}

                """)
    }

    /// A target as received, and as written.
    @Test(arguments: [
        ("/", "/"), ("/a b", "/a%20b"), ("/\u{0}\r\n\u{1B}[2J\u{7F}", "/%00%0D%0A%1B[2J%7F"), ("/\"\\'", "/%22%5C'"),
        ("/café", "/caf%C3%A9"), ("/caf%c3%a9", "/caf%c3%a9"), ("/x?", "/x?"), ("/x?a", "/x?a"),
        ("/x?a=1&&b=2&", "/x?a=1&&b=2&"), ("/x?token=abc", "/x?token=***"),
        ("/x?a=1&Password=abc&b=2", "/x?a=1&Password=***&b=2"), ("/x?token", "/x?token"),
        ("/x?q;token=SECRET", "/x?q;token=***"), ("/x?q;token=SECRET;more&a=1", "/x?q;token=***&a=1"),
        ("/x?q=1;Token=SECRET&a=1", "/x?q=1;Token=***&a=1"), ("/x;token=SECRET?a=1&b=2", "/x;token=***&b=2"),
        ("/x?a?token=SECRET", "/x?a?token=***"), ("/x?token[]=SECRET", "/x?token[]=***"),
        ("/x?reset-token=SECRET", "/x?reset-token=***"), ("/x?q%3Btoken=SECRET", "/x?q%3Btoken=***"),
        ("/x?q=1%3Btoken=SECRET", "/x?q=1%3Btoken=***"), ("/x?a,key=S=E&b=1", "/x?a,key=***&b=1"),
        ("/caf%C3%A9?q=1/2=3", "/caf%C3%A9?q=1/2=3"), ("/x?q=token&b=1", "/x?q=token&b=1"),
        ("/x?tokens=abc", "/x?tokens=abc"), ("/x?%74oken=abc", "/x?%74oken=***"), ("/x?a=b=c?d", "/x?a=b=c?d"),
    ])
    func escapesTargets(target: String, written: String) {
        let text = line(.text, Self.record(target))
        #expect(text.contains(" target=\"\(written)\" status="))
    }

    /// Any request is one line, and in JSON one object.
    @Test func survivesEveryByte() throws {
        let bytes = Array("/?".utf8) + (0...255)
        let record = AccessRecord(
            method: .post, target: bytes[...], status: .ok, route: 0, bytes: 1, duration: 1,
            peer: .inet(address: "::1", port: 1, isLoopback: true), id: RequestID(),
            userAgent: bytes[...])
        for format in [LogFormat.text, .json] {
            let text = line(format, record)
            #expect(text.utf8.count { $0 == 0x0A } == 1)
            #expect(text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        }
        let object = try JSONSerialization.jsonObject(with: Data(line(.json, record).utf8)) as? [String: Any]
        #expect(object?["peer"] as? String == "::1")
    }

    /// A user agent is written in JSON, bounded, and without secrets; so is the ID that a client sends.
    @Test func writesWhoAsks() {
        let token = "sooke_api_" + String(repeating: "x", count: 43)
        let agents: [(sent: String, written: String)] = [
            ("curl/8.14.1", "curl/8.14.1"), ("Mozilla/5.0 (X11; \"q\\\")", "Mozilla/5.0 (X11; %22q%5C%22)"),
            ("tab\t\u{E9}", "tab%09%C3%A9"), (String(repeating: "a", count: 9000), String(repeating: "a", count: 200)),
            ("x \(token) y", "x sooke_api_*** y"), ("", ""),
        ]
        for (sent, written) in agents {
            let text = line(.json, Self.record("/", userAgent: sent))
            #expect(text.hasSuffix(",\"user_agent\":\"\(written)\"}\n"))
            #expect(!line(.text, Self.record("/", userAgent: sent)).contains("curl"))
        }
        for format in [LogFormat.text, .json] {
            #expect(!line(format, Self.record("/", id: token)).contains("xxx"))
        }
    }

    static func record(_ target: String, id: String = "me-1", userAgent: String? = nil) -> AccessRecord {
        AccessRecord(
            method: .get, target: Array(target.utf8)[...], status: .ok, route: 0, bytes: 6912,
            duration: 113_900, peer: .inet(address: "127.0.0.1", port: 40_000, isLoopback: true), id: Self.id(id),
            userAgent: userAgent.map { Array($0.utf8)[...] })
    }

    /// The ID of a request that contains it.
    private static func id(_ text: String) -> RequestID {
        guard let request = try? Request(.get, "/", headers: [("X-Request-ID", text)]) else { return RequestID() }
        return request.id
    }

    private func line(_ format: LogFormat, _ record: AccessRecord) -> String {
        var bytes: [UInt8] = []
        AccessLine(format: format).append(record, at: Self.moment, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

@Suite struct LogMessageTests {
    private static func object(_ text: String) throws -> [String: Any] {
        #expect(text.hasSuffix("\n") && text.dropLast().allSatisfy { !$0.isNewline }, "one line")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test(arguments: ["all is well", "two\nlines", "a \"quoted\" \\ \u{1B}[2J", "café"])
    func isALineInBothFormats(message: String) throws {
        #expect(LogMessage(.info, message).text(isJSON: false) == "sooke: \(message)\n")
        let object = try Self.object(LogMessage(.warning, message).text(isJSON: true))
        #expect(object["message"] as? String == message)
        #expect(object["level"] as? String == "warning")
        #expect(Set(object.keys) == ["time", "level", "message"])
    }
}
