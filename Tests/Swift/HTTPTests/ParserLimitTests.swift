import Testing

@testable import HTTP

/// What is beyond limits, however the bytes are cut; each limit is in `ProtocolTableTests`.
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

    @Test func methodWithoutEnd() {
        #expect(outcome(String(repeating: "A", count: 300)) == ["unknownMethod"])
        #expect(outcome(String(repeating: "A", count: 300) + " / HTTP/1.1\r\nHost: a\r\n\r\n") == ["unknownMethod"])
        #expect(outcome("GET/" + String(repeating: "A", count: 300)) == ["badRequestLine"])
    }

    /// A line that is too long for both limits fails by the one that it reaches first.
    @Test func fieldBeyondBothLimits() {
        let (long, rest) = (String(repeating: "x", count: 27), String(repeating: "z", count: 100))
        #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\nY: yy\r\nZ: \(rest)") == ["fieldsTooLong"])
        #expect(outcome("GET / HTTP/1.1\r\nHost: a\r\nZ: \(rest)") == ["fieldTooLong"])
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
