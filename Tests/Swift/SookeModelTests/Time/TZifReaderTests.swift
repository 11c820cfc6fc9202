import Bytes
import TestSupport
import Testing

@testable import SookeModel

@Suite struct TZifReaderTests {
    static let whole = TZifFixture(
        offsets: [0, 3600], transitions: [("1970-01-01T00:00:00Z", 1), ("2000-01-01T00:00:00Z", 0)],
        footer: "EST5EDT,M3.2.0,M11.1.0")

    static func offset(_ bytes: [UInt8], at text: String) throws -> Int {
        try TZifReader.read(bytes, name: "X").offset(at: try #require(Timestamp(rfc3339: text)))
    }

    @Test(arguments: [UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4")])
    func versionsWithAFooter(version: UInt8) throws {
        var fixture = Self.whole
        fixture.version = version
        #expect(try Self.offset(fixture.bytes, at: "1960-07-01T00:00:00Z") == 0)
        #expect(try Self.offset(fixture.bytes, at: "1980-07-01T00:00:00Z") == 3600)
        #expect(try Self.offset(fixture.bytes, at: "2100-07-01T00:00:00Z") == -14400)
    }

    @Test func inVersionOneTheLastOffsetStays() throws {
        var fixture = Self.whole
        fixture.version = 0
        #expect(try Self.offset(fixture.bytes, at: "1980-07-01T00:00:00Z") == 3600)
        #expect(try Self.offset(fixture.bytes, at: "2100-07-01T00:00:00Z") == 0)
    }

    @Test func withoutFooterTheLastOffsetStays() throws {
        var fixture = Self.whole
        fixture.footer = ""
        #expect(try Self.offset(fixture.bytes, at: "2100-07-01T00:00:00Z") == 0)
    }

    @Test(arguments: [0, UInt8(ascii: "3")])
    func everyPartOfAFileIsMissed(version: UInt8) {
        var fixture = Self.whole
        fixture.version = version
        let bytes = fixture.bytes
        for length in bytes.indices {
            #expect(throws: TZifReader.Malformed.self) { try TZifReader.read(Array(bytes[..<length]), name: "X") }
        }
    }

    /// A changed byte gives an error or a zone that can be used.
    @Test func anyByteMayBeAnything() throws {
        let bytes = Self.whole.bytes
        for index in bytes.indices {
            for byte in [0x00, 0x01, 0x7F, 0x80, 0xFF, bytes[index] ^ 0x01, bytes[index] ^ 0x80] as [UInt8] {
                var changed = bytes
                changed[index] = byte
                guard let zone = try? TZifReader.read(changed, name: "X") else { continue }
                for microseconds in [Int.min, 0, 2_000_000_000_000_000, Int.max] {
                    _ = zone.localDate(at: Timestamp(microseconds: microseconds))
                }
            }
        }
    }

    @Test(arguments: [
        TZifFixture(offsets: []),
        TZifFixture(offsets: [100_000]),
        TZifFixture(offsets: [0], transitions: [("1970-01-01T00:00:00Z", 1)]),
        TZifFixture(
            offsets: [0, 1], transitions: [("1970-01-01T00:00:00Z", 1), ("1970-01-01T00:00:00Z", 0)]),
        TZifFixture(
            offsets: [0, 1], transitions: [("1970-01-02T00:00:00Z", 1), ("1970-01-01T00:00:00Z", 0)]),
        .rule("not a rule"),
    ])
    func refuses(fixture: TZifFixture) {
        #expect(throws: TZifReader.Malformed.self) { try TZifReader.read(fixture.bytes, name: "X") }
    }
}
