import Bytes
import Testing

@testable import sooke

@Suite struct BackupNameTests {
    /// A Monday.
    private static let moment = Timestamp(rfc3339: "2026-11-23T03:07:09Z")

    @Test(arguments: [
        ("town.json", "town.json", false), ("town-%Y-%m-%d.json", "town-2026-11-23.json", true),
        ("/var/backups/sooke/%Y%m%dT%H%M%SZ", "/var/backups/sooke/20261123T030709Z", true),
        ("town-%a.json", "town-Mon.json", true), ("100%/town-%d", "100%/town-23", true), ("/%d", "/23", true),
        ("town-100%%.json", "town-100%.json", false), ("%%d", "%d", false),
    ])
    func namesABackup(pattern: String, path: String, hasFields: Bool) throws {
        let name = try #require(BackupName(pattern))
        #expect(name.path(at: try #require(Self.moment)) == path)
        #expect(name.hasFields == hasFields)
    }

    @Test(arguments: ["town-%", "town-%y", "town-%Q.json", "%Y-%é"])
    func refusesOtherFields(pattern: String) {
        #expect(BackupName(pattern) == nil)
    }

    @Test(arguments: [
        ("b/town-%Y-%m-%d.json", "town-2026-11-23.json", true),
        ("b/town-%Y-%m-%d.json", "town-0000-99-99.json", true),
        ("b/town-%Y-%m-%d.json", "town-2026-11-23.json.1f.partial", false),
        ("b/town-%Y-%m-%d.json", "town-2026-11-2.json", false),
        ("b/town-%Y-%m-%d.json", "town-2026-11-23.jsonl", false),
        ("b/town-%Y-%m-%d.json", "town-%Y-%m-%d.json", false),
        ("b/town-%Y-%m-%d.json", "old-town-2026-11-23.json", false), ("b/town-%Y-%m-%d.json", "town.json", false),
        ("%a", "Sat", true), ("%a", "sat", false), ("%a", "Saturday", false), ("%a", "", false),
        ("%d%%", "01%", true), ("%d%%", "01", false),
    ])
    func matches(pattern: String, name: String, matches: Bool) throws {
        #expect(try #require(BackupName(pattern)).matches(name) == matches)
    }
}
