import Bytes
import Platform
import TestSupport
import Testing

@Suite struct GzipTests {
    /// Some bytes, by their length and how they look.
    enum Content: CaseIterable {
        case empty, oneByte, text, everyByte, zeros, noise, longZeros, longNoise, longText

        var bytes: [UInt8] {
            switch self {
            case .empty: []
            case .oneByte: [0]
            case .text: Array("A small town by the sea, with a café.".utf8)
            case .everyByte: Array(0...255)
            case .zeros: [UInt8](repeating: 0, count: 65_536)
            case .noise: Self.noise(of: 65_537)
            case .longZeros: [UInt8](repeating: 0, count: 5 << 20)
            case .longNoise: Self.noise(of: 5 << 20)
            case .longText:
                Array(repeating: Array("<li>Chowder, yoga, a name</li>\n".utf8), count: 170_000).flatMap(\.self)
            }
        }

        /// How many bytes the compressed form has at most.
        var most: Int {
            switch self {
            case .empty, .oneByte: 24
            case .text, .everyByte: 300
            case .zeros: 400
            case .noise: 65_537 + 100
            case .longZeros: 30_000
            // What cannot be compressed grows by a thousandth, not more.
            case .longNoise: (5 << 20) + 6_000
            case .longText: 100_000
            }
        }

        private static func noise(of count: Int) -> [UInt8] {
            var generator = SplitMix64(seed: 7)
            return (0..<count / 8 + 1).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
                .dropLast(8 - count % 8)
        }
    }

    @Test(arguments: Content.allCases)
    func roundTrip(content: Content) throws {
        let bytes = content.bytes
        let compressed = try #require(Gzip.compress(bytes))
        // Compared as one: a difference of 5 MB is no message.
        let isSame = Gunzip.decompress(compressed) == bytes
        #expect(isSame && compressed.count <= content.most, "\(compressed.count) bytes of \(bytes.count)")
    }

    /// The header has no time and no name: the same page is the same bytes, after a restart too.
    @Test func theSameBytesForTheSameContent() throws {
        let bytes = Content.text.bytes
        let compressed = try #require(Gzip.compress(bytes))
        #expect(Array(compressed.prefix(4)) == [0x1F, 0x8B, 8, 0] && compressed[4..<8].allSatisfy { $0 == 0 })
        #expect(Gzip.compress(bytes) == compressed)
    }

    /// What these tests read with notices damage, so that it can fail.
    @Test func damageIsNoticed() throws {
        let compressed = try #require(Gzip.compress(Content.text.bytes))
        // The magic number and the method at the start, checksum and length at the end.
        for index in [0, 1, 2] + compressed.indices.suffix(8) {
            var damaged = compressed
            damaged[index] ^= 0x10
            #expect(Gunzip.decompress(damaged) == nil, "byte \(index)")
        }
        #expect(Gunzip.decompress(compressed.dropLast()) == nil && Gunzip.decompress(compressed + [0]) == nil)
    }
}
