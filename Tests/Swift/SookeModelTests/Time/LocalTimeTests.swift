import Bytes
import TestSupport
import Testing

@testable import SookeModel

@Suite struct LocalTimeTests {
    private static func zone(_ name: String = "America/Vancouver") throws -> SookeModel.TimeZone {
        try TZifReader.read(try #require(TZifFixture.zones[name]).bytes, name: name)
    }

    @Test(
        arguments: [
            ("2026-12-11", "2026-12-11"), ("2026-12-11T20:00", "2026-12-11T20:00"),
            ("2026-12-11T20:00:00", "2026-12-11T20:00"), ("2026-12-11T20:00:30", "2026-12-11T20:00:30"),
            ("2026-12-11T20:00:00.5", "2026-12-11T20:00:00.5"), ("2026-12-11 20:00", "2026-12-11T20:00"),
            ("2026-12-12T04:00:00Z", "2026-12-12T04:00Z"), ("2026-12-11T20:00-08:00", "2026-12-11T20:00-08:00"),
            ("2026-12-11T20:00:00+05:45", "2026-12-11T20:00+05:45"), ("2026-12-11T23:59:60", "2026-12-12T00:00"),
            ("", nil), ("2026-12-11T", nil), ("2026-12-11T20", nil), ("2026-12-11T24:00", nil), ("2026-02-30", nil),
            ("2026-12-11T20:00x", nil), ("2026-12-11T20:00-8", nil), ("10000-01-01T00:00", nil),
        ] as [(String, String?)])
    func texts(text: String, written: String?) {
        #expect(LocalTime(text)?.text == written)
        if let written { #expect(LocalTime(written)?.text == written) }
    }

    /// An instant, and what clocks in Vancouver show then: they are set back from 2:00 to 1:00 on 1 November 2026.
    @Test(arguments: [
        ("2026-11-01T07:30:00Z", "2026-11-01T00:30"), ("2026-11-01T08:30:00Z", "2026-11-01T01:30-07:00"),
        ("2026-11-01T09:30:00Z", "2026-11-01T01:30-08:00"), ("2026-11-01T10:30:00Z", "2026-11-01T02:30"),
        ("2026-03-08T09:59:00Z", "2026-03-08T01:59"), ("2026-03-08T10:00:00Z", "2026-03-08T03:00"),
    ])
    func bothWays(instant: String, local: String) throws {
        let (zone, instant) = (try Self.zone(), try #require(Timestamp(rfc3339: instant)))
        #expect(zone.localTime(at: instant).text == local)
        let shown = try #require(LocalTime(local))
        #expect(zone.instant(of: shown) == instant)
    }

    /// Of a repeated hour without an offset the first counts; an offset that clocks never had then does not; a time that
    /// clocks skip is later by the gap.
    @Test(arguments: [
        ("2026-11-01T01:30", "2026-11-01T08:30:00Z"), ("2026-11-01T01:30+02:00", "2026-11-01T08:30:00Z"),
        ("2026-12-11T20:00-07:00", "2026-12-12T04:00:00Z"), ("2026-03-08T02:30", "2026-03-08T10:30:00Z"),
        ("2026-12-11", "2026-12-11T08:00:00Z"),
    ])
    func oneWay(local: String, instant: String) throws {
        let (zone, local) = (try Self.zone(), try #require(LocalTime(local)))
        #expect(zone.instant(of: local).rfc3339 == instant)
    }

    @Test(
        arguments: [
            ("2026-03-08T02:00", "2026-03-08T03:00"), ("2026-03-08T02:59", "2026-03-08T03:00"),
            ("2026-03-08T03:00", nil),
            ("2026-11-01T01:30", nil), ("2026-03-08", nil),
        ] as [(String, String?)])
    func replacement(local: String, other: String?) throws {
        let (zone, local) = (try Self.zone(), try #require(LocalTime(local)))
        #expect(zone.replacement(of: local)?.text == other)
    }
}
