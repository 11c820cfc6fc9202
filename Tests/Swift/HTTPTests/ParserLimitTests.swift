import Testing

@testable import HTTP

/// Each limit, at its value and one beyond, however the bytes are cut.
@Suite struct ParserLimitTests {
    private var limits: HTTPLimits {
        var limits = HTTPLimits()
        (limits.target, limits.field, limits.fields) = (20, 30, 70)
        (limits.fieldCount, limits.chunkOverhead) = (5, 12)
        return limits
    }

    private func outcome(_ text: String, bodyLimit: Int = 10) -> [String] {
        ParserTrace.of(text, limits: limits, bodyLimit: bodyLimit)
    }

    @Test(arguments: [(20, "GET"), (21, "targetTooLong"), (60, "targetTooLong"), (2000, "targetTooLong")])
    func target(_ length: Int, _ wanted: String) {
        let target = "/" + String(repeating: "x", count: length - 1)
        let outcome = outcome("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(outcome == [wanted == "GET" ? "GET \(target) @a" : wanted])
    }

    @Test func methodWithoutEnd() {
        #expect(outcome(String(repeating: "A", count: 3000)) == ["unknownMethod"])
        #expect(outcome(String(repeating: "A", count: 3000) + " / HTTP/1.1\r\nHost: a\r\n\r\n") == ["unknownMethod"])
        #expect(outcome("GET/" + String(repeating: "A", count: 3000)) == ["badRequestLine"])
    }

    @Test(arguments: [(30, "GET / @a"), (31, "fieldTooLong"), (32, "fieldTooLong"), (2000, "fieldTooLong")])
    func field(_ length: Int, _ wanted: String) {
        let field = "X: " + String(repeating: "x", count: length - 3)
        #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n") == [wanted])
    }

    @Test(arguments: [(70, "GET / @a"), (71, "fieldsTooLong")])
    func fields(_ length: Int, _ wanted: String) {
        // `Host: a` has 7 bytes, the next two have 30 and the rest.
        let first = "X: " + String(repeating: "x", count: 27)
        let second = "Y: " + String(repeating: "y", count: length - 7 - 30 - 5 - 3)
        let fields = "Host: a\r\n\(first)\r\n\(second)\r\nZ: zz"
        #expect(outcome("GET / HTTP/1.1\r\n\(fields)\r\n\r\n") == [wanted])
    }

    /// A line that is too long for both limits fails by the one that it reaches first.
    @Test func fieldBeyondBothLimits() {
        let (long, rest) = (String(repeating: "x", count: 27), String(repeating: "z", count: 100))
        #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\nY: yy\r\nZ: \(rest)") == ["fieldsTooLong"])
        #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\nZ: \(rest)") == ["fieldTooLong"])
    }

    @Test(arguments: [(4, "GET / @a"), (5, "tooManyFields"), (9, "tooManyFields")])
    func fieldCount(_ count: Int, _ wanted: String) {
        let fields = String(repeating: "X: y\r\n", count: count)
        #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n") == [wanted])
    }

    @Test(arguments: [(10, "POST / @a [0123456789]"), (9, "bodyTooLarge")])
    func chunkedBody(_ limit: Int, _ wanted: String) {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        let body = "5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n"
        #expect(outcome(head + body, bodyLimit: limit) == [wanted])
    }

    @Test(arguments: [
        ("1;23456\r\nx\r\n0;2345\r\n\r\n", "POST / @a [x]"), ("1;23456789abcd\r\nx\r\n", "chunkOverheadTooLong"),
        ("1\r\nx\r\n0\r\nA: bcde\r\nF:\r\n\r\n", "chunkOverheadTooLong"), ("0\r\nA: 1\r\n\r\n", "POST / @a"),
    ])
    func chunkOverhead(_ chunks: String, _ wanted: String) {
        #expect(outcome("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)") == [wanted])
    }

    @Test func defaultsAreThoseOfTheTable() {
        let limits = HTTPLimits()
        #expect(limits.target == 8192 && limits.field == 8192 && limits.fields == 16384 && limits.fieldCount == 100)
        #expect(limits.chunkOverhead == 4096)
        #expect(limits.smallBody == 8192 && limits.bodies == 67_108_864)
        #expect(limits.drain == 65_536 && limits.linger == 8_388_608 && limits.output == 262_144)
        #expect(limits.headTimeout == .seconds(10) && limits.bodyTimeout == .seconds(20))
        #expect(limits.minimumRate == 1024 && limits.rateWindow == .seconds(10))
        #expect(limits.idleTimeout == .seconds(60) && limits.crowdedIdleTimeout == .seconds(5))
        #expect(limits.writeTimeout == .seconds(30) && limits.crowdedPercent == 80)
        #expect(limits.connections == 4096 && limits.connectionsPerAddress == 256)
    }

    @Test func statuses() {
        let statuses = Dictionary(grouping: ParseFailure.allCases) { $0.error.status.code }
        #expect(statuses[414] == [.targetTooLong])
        #expect(statuses[431] == [.fieldTooLong, .fieldsTooLong, .tooManyFields])
        #expect(statuses[501] == [.unknownMethod, .unknownTransferEncoding])
        #expect(statuses[505] == [.unsupportedVersion])
        #expect(statuses[417] == [.unknownExpectation])
        #expect(statuses[413] == [.bodyTooLarge])
        #expect(statuses[503] == [.noRoomForBody])
        #expect(Set(statuses.keys) == [400, 413, 414, 417, 431, 501, 503, 505])
    }
}
