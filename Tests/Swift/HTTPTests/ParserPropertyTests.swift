import TestSupport
import Testing

@testable import HTTP

/// Valid requests with random damage: the result is independent of how the bytes are cut, and nothing traps.
@Suite struct ParserPropertyTests {
    private static let seeds = [
        "GET /a/../b?c=%20d HTTP/1.1\r\nHost: a:80\r\nX: y\r\n\r\n",
        "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;e=f\r\nabc\r\n0\r\nT: u\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
        "GET http://a/b HTTP/1.0\r\nConnection: close\r\n\r\n",
    ]
    private static let bytes = Array("\r\n\r\n \t:;,/?#%.=+0019afAFchunked\0\u{7F}".utf8) + [0x80, 0xFF]

    @Test(arguments: 0..<8)
    func damagedRequests(_ round: Int) {
        var random = SplitMix64(seed: UInt64(round))
        for _ in 0..<15 {
            var text: [UInt8] = []
            for _ in 0...Int.random(in: 0...2, using: &random) {
                text += Array(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)].utf8)
            }
            for _ in 0..<Int.random(in: 0...4, using: &random) { Self.damage(&text, &random) }
            let splits = (0..<4).map { _ in Int.random(in: 0..<text.count, using: &random) }
            let outcome = ParserTrace.of(text, splits: splits)
            #expect(!outcome.contains("instead of:"), "\(outcome) for \(String(decoding: text, as: UTF8.self))")
        }
    }

    private static func damage(_ text: inout [UInt8], _ random: inout SplitMix64) {
        let place = Int.random(in: 0..<text.count, using: &random)
        let byte = bytes[Int.random(in: 0..<bytes.count, using: &random)]
        switch Int.random(in: 0..<5, using: &random) {
        case 0: text[place] = byte
        case 1: text.insert(byte, at: place)
        case 2 where text.count > 1: text.remove(at: place)
        case 3: text.insert(contentsOf: text[place..<min(place + 8, text.count)], at: place)
        default: text.swapAt(place, Int.random(in: 0..<text.count, using: &random))
        }
    }
}
