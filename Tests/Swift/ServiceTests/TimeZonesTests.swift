import Bytes
import Foundation
import Platform
import SookeModel
import Testing
import TestSupport

@testable import Service

@Suite struct TimeZonesTests {
    /// A database in a folder of its own, which is removed with the value.
    final class Database {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zones-\(UUID().uuidString)")

        init() throws {
            for (name, fixture) in TZifFixture.zones { try write(fixture.bytes, to: name) }
            try write(TZifFixture.rule("EST5").bytes, to: "EST")
            try write(TZifFixture.rule("<+14>-14").bytes, to: "Etc/GMT-14")
            try write(Array("# tz zone descriptions".utf8), to: "zone.tab")
            try write([], to: "empty")
            try write([UInt8](repeating: 0, count: 2 << 20), to: "long")
        }

        func write(_ bytes: [UInt8], to name: String) throws {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    @Test func findsNamesAlone() throws {
        let database = try Database()
        let zones = TimeZones(directory: database.folder.path)
        for name in [
            "", ".", "..", "Local", "utc", "america/vancouver", "America", "America/", "/EST", "\\EST", "../etc/passwd",
            "America/../EST", "America/./Vancouver", " EST", "EST ", "EST\n", "EST\0", "é", "🌊", "\u{7F}", "+08:00",
            "America\\Vancouver", "America Vancouver", "zone.tab", "empty", "long", "Bad/Zone",
            String(repeating: "x", count: 5_000),
        ] {
            #expect(throws: TimeZoneError(name: name)) { try zones.zone(named: name) }
        }
        #expect(zones.countInMemory == 0)
        for name in ["America/Vancouver", "EST", "Etc/GMT-14", "UTC"] {
            #expect(try zones.zone(named: name).name == name)
        }
    }

    /// After loading, no name needs a file: the database has been removed.
    @Test func needsNoFileOnceItIsLoaded() throws {
        let database = try Database()
        let folder = database.folder.path
        try FileManager.default.createSymbolicLink(atPath: folder + "/America/Up", withDestinationPath: "../America")
        try database.write(TZifFixture.rule("EST5").bytes, to: "right/EST")
        let zones = TimeZones(directory: folder)
        let files = TimeZoneDatabase(directory: folder).allFiles()
        #expect(files.values.allSatisfy { $0.capacity < 2 * $0.count + 64 }, "each has the room that it needs")
        zones.load(files)
        try FileManager.default.removeItem(at: database.folder)
        for name in ["America/Vancouver", "America/Up/Vancouver", "EST", "posix/EST", "Etc/GMT-14", "UTC"] {
            #expect(try zones.zone(named: name).name == name)
        }
        for name in [
            "", "right/EST", "Local", "utc", "America", "America/", "zone.tab", "empty", "long", "Bad/Zone", "../EST",
        ] {
            #expect(throws: TimeZoneError(name: name)) { try zones.zone(named: name) }
        }
    }

    @Test func universalTimeNeedsNoDatabase() throws {
        let zones = TimeZones(directory: "/nowhere")
        #expect(try zones.zone(named: "UTC").offset(at: Timestamp(clampingSeconds: 1_800_000_000)) == 0)
        #expect(throws: TimeZoneError(name: "America/Vancouver")) { try zones.zone(named: "America/Vancouver") }
    }

    @Test func storesNoMoreThanItsLimit() throws {
        let database = try Database()
        let zones = TimeZones(directory: database.folder.path, limit: 3)
        for _ in 0..<3 {
            for name in TZifFixture.zones.keys { #expect(try zones.zone(named: name).name == name) }
        }
        #expect(zones.countInMemory == 3)
    }

    @Test func readsAZoneOnce() throws {
        let database = try Database()
        let zones = TimeZones(directory: database.folder.path)
        _ = try zones.zone(named: "EST")
        try database.write([], to: "EST")
        #expect(try zones.zone(named: "EST").offset(at: Timestamp.epoch) == -18000)
    }

    @Test func servesManyThreads() async throws {
        let database = try Database()
        let zones = TimeZones(directory: database.folder.path, limit: 2)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try (0..<50).reduce(0) { sum, _ in
                        try TZifFixture.zones.keys.reduce(sum) { try $0 + zones.zone(named: $1).name.utf8.count }
                    }
                }
            }
            let expected = 50 * TZifFixture.zones.keys.reduce(0) { $0 + $1.utf8.count }
            for try await sum in group { #expect(sum == expected) }
        }
    }

    @Test(
        arguments: [
            ("# version 2025b\n# x", nil, "2025b"), ("# version 2025b", "2024a\n", "2025b"), (nil, "2026f\n", "2026f"),
            ("# A comment\n# version 2025b\n", nil, "unknown"), ("# version \n", nil, "unknown"),
            ("# version 2025b\u{7}\n", "2024a", "2024a"), (nil, "", "unknown"), (nil, nil, "unknown"),
            (nil, String(repeating: "9", count: 41), "unknown"),
        ] as [(String?, String?, String)])
    func theirVersion(zi: String?, file: String?, version: String) throws {
        let database = try Database()
        if let zi { try database.write(Array(zi.utf8), to: "tzdata.zi") }
        if let file { try database.write(Array(file.utf8), to: "+VERSION") }
        #expect(TimeZones(TimeZoneDatabase(directory: database.folder.path)).version == version)
    }

    @Test(
        arguments: [
            ("2025b", "2026-12-31T23:59:59Z", nil, ""), ("2025b", "2027-01-01T00:00:00Z", nil, "more than a year old"),
            ("2025b", "2026-01-01T00:00:00Z", "2025b", ""), ("2026f", "2026-12-01T00:00:00Z", "2025b", ""),
            ("2025b", "2026-12-01T00:00:00Z", "2025c", "older than 2025c"),
            ("2024b", "2027-06-01T00:00:00Z", "2026f", "older than 2026f"),
            ("unknown", "2027-06-01T00:00:00Z", "2026f", ""), ("2026f", "2026-12-01T00:00:00Z", "unknown", ""),
        ] as [(String, String, String?, String)])
    func advice(version: String, now: String, last: String?, words: String) throws {
        let warning = TimeZones(version: version) { _ in nil }
            .warning(at: try #require(Timestamp(rfc3339: now)), after: last)
        #expect((warning == nil) == words.isEmpty && warning?.contains(words) != false, "\(warning ?? "none")")
    }

    @Test(arguments: [
        ("america/vancouver", #"invalid time zone: "america/vancouver""#),
        ("a\nb\tc\r", #"invalid time zone: "a\nb\tc\r""#), ("\u{7F}\u{1}", #"invalid time zone: "\x7f\x01""#),
        ("\"\\", #"invalid time zone: "\"\\""#), ("é 🌊", #"invalid time zone: "é 🌊""#),
        ("\u{200B}\u{A0}\u{202E}\u{E0001}", #"invalid time zone: "\u200b\u00a0\u202e\U000e0001""#),
    ])
    func errorsAreQuoted(name: String, text: String) {
        #expect(TimeZoneError(name: name).description == text)
    }
}

extension TimeZones {
    /// The zones in a folder.
    fileprivate convenience init(directory: String, limit: Int = 100) {
        self.init(TimeZoneDatabase(directory: directory), limit: limit)
    }
}

@Suite struct TimeZoneSuggestionTests {
    private static let names = [
        "America/Argentina/San_Juan", "America/Edmonton", "America/Halifax", "America/Kentucky/Louisville",
        "America/Los_Angeles", "America/Louisville", "America/New_York", "America/Nome", "America/St_Johns",
        "America/Toronto", "America/Vancouver", "America/Winnipeg", "EST", "Europe/Berlin", "Europe/Dublin", "UTC",
    ]

    @Test(
        arguments: [
            ("PST", "America/Vancouver"), ("pdt", "America/Vancouver"), ("MST", "America/Edmonton"),
            ("CST", "America/Winnipeg"), ("EST", "America/Toronto"), ("EDT", "America/Toronto"),
            ("NST", "America/St_Johns"), ("ADT", "America/Halifax"), ("Pacific", "America/Vancouver"),
            ("Pacific Time", "America/Vancouver"), ("US/Pacific", "America/Los_Angeles"),
            ("Vancouver", "America/Vancouver"), ("vancouver", "America/Vancouver"),
            ("america/vancouver", "America/Vancouver"), ("America/vancouver", "America/Vancouver"),
            ("Los Angeles", "America/Los_Angeles"), ("america/new york", "America/New_York"),
            ("Louisville", "America/Louisville"), ("America/Vancuver", "America/Vancouver"),
            ("Vancoover", "America/Vancouver"), ("Vancoovr", "America/Vancouver"), ("Vncoovr", nil),
            ("Sooke", "America/Vancouver"), ("utc", "UTC"),
            ("Europe/Berlni", "Europe/Berlin"), ("America/Nope", "America/Nome"), ("Berlin/Europe", nil),
            ("Dubli", nil),
            ("UTC-8", nil), ("", nil), ("../../etc/passwd", nil), (String(repeating: "a", count: 101), nil),
        ] as [(String, String?)])
    func finds(text: String, zone: String?) {
        #expect(
            TimeZoneSuggestion.advice(for: text, among: Self.names) == zone.map { "did you mean \($0)?" })
    }
}
