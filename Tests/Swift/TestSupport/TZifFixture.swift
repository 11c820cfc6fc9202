import Bytes

/// Writes a time zone information file (RFC 9636).
public struct TZifFixture: Sendable {
    /// The version of the format.
    public var version: UInt8
    /// Seconds east of UTC, the first one before the first transition.
    public var offsets: [Int]
    /// Times, and the offset (by number) from each on.
    public var transitions: [(moment: String, offset: Int)]
    /// The rule after the last transition.
    public var footer: String

    /// A zone; by default always at UTC, without a rule.
    public init(
        version: UInt8 = UInt8(ascii: "3"), offsets: [Int] = [0], transitions: [(moment: String, offset: Int)] = [],
        footer: String = ""
    ) {
        (self.version, self.offsets, self.transitions, self.footer) = (version, offsets, transitions, footer)
    }

    /// A zone with one rule for all times.
    public static func rule(_ footer: String) -> TZifFixture {
        TZifFixture(footer: footer)
    }

    /// The whole file.
    public var bytes: [UInt8] {
        if version == 0 { return block(timeSize: 4) }
        // The first block for readers of version 1 is empty, as in today's database.
        let empty = TZifFixture(version: version).block(timeSize: 4)
        return empty + block(timeSize: 8) + Array("\n\(footer)\n".utf8)
    }

    private func block(timeSize: Int) -> [UInt8] {
        var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
        for count in [0, 0, 0, transitions.count, offsets.count, 4] { bytes += Self.bigEndian(count, size: 4) }
        for transition in transitions {
            bytes += Self.bigEndian(Timestamp(rfc3339: transition.moment)?.seconds ?? 0, size: timeSize)
        }
        bytes += transitions.map { UInt8($0.offset) }
        for offset in offsets { bytes += Self.bigEndian(offset, size: 4) + [0, 0] }
        return bytes + Array("ABC\0".utf8)
    }

    private static func bigEndian(_ value: Int, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

extension TZifFixture {
    /// Zones with a history of their own, as far as the tests look.
    public static let zones: [String: TZifFixture] = [
        "America/Vancouver": TZifFixture(
            offsets: [-29548, -28800, -25200],
            transitions: [
                ("1884-01-01T08:12:28Z", 1), ("1918-04-14T10:00:00Z", 2), ("1918-10-27T09:00:00Z", 1),
                ("2007-03-11T10:00:00Z", 2), ("2007-11-04T09:00:00Z", 1),
            ], footer: "PST8PDT,M3.2.0,M11.1.0"),
        "Australia/Lord_Howe": .rule("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"),
        "Europe/Berlin": .rule("CET-1CEST,M3.5.0,M10.5.0/3"),
        "Europe/Dublin": .rule("IST-1GMT0,M10.5.0,M3.5.0/1"),
        "Antarctica/Troll": .rule("<+00>0<+02>-2,M3.5.0/1,M10.5.0/3"),
        "America/Nuuk": .rule("<-02>2<-01>,M3.5.0/-1,M10.5.0/0"),
        "Africa/Casablanca": TZifFixture(
            offsets: [3600, 0, 3600],
            transitions: [
                ("2026-02-15T02:00:00Z", 1), ("2026-03-22T02:00:00Z", 2), ("2087-03-30T02:00:00Z", 1),
                ("2087-05-11T02:00:00Z", 0),
            ], footer: "<+01>-1"),
        "Pacific/Kiritimati": TZifFixture(
            offsets: [-36000, 50400], transitions: [("1994-12-31T10:00:00Z", 1)], footer: "<+14>-14"),
        "Pacific/Apia": TZifFixture(
            offsets: [-39600, -36000, 50400, 46800],
            transitions: [
                ("2011-09-24T14:00:00Z", 1), ("2011-12-30T10:00:00Z", 2), ("2012-03-31T14:00:00Z", 3),
            ], footer: "<+13>-13"),
    ]
}
