import Bytes
import SookeModel
import TestSupport
import Testing

@testable import Exchange

/// The time zones of calendars.
@Suite struct CalendarZonesTests {
    private static let names = ["America/New_York": -5, "Europe/Berlin": 1, "America/Los_Angeles": -8]

    private static func find(_ name: String) -> SookeModel.TimeZone? {
        names[name].map { TimeZone(name: name, fixedOffset: $0 * 3600) }
    }

    private static let town = TimeZone(name: "America/Vancouver", fixedOffset: -28_800)

    @Test(
        arguments: [
            ("UTC", "UTC"), ("/Europe/Berlin", "Europe/Berlin"), ("/x.example/Europe/Berlin", "Europe/Berlin"),
            ("(UTC-05:00) Eastern Time (US & Canada)", "America/New_York"), ("EST", "America/New_York"),
            ("Eastern Time", "America/New_York"), ("PDT", "America/Vancouver"),
            ("Pacific Time (US & Canada)", "America/Vancouver"),
            ("(UTC+01:00) Amsterdam, Berlin, Bern", "Europe/Berlin"), ("CET", "Europe/Berlin"), ("UTC-3", "Etc/GMT+3"),
            ("GMT+01:00", "Etc/GMT-1"), ("Mars", nil), ("", nil), ("UTC+99", nil),
        ] as [(String, String?)])
    func byName(name: String, found: String?) {
        #expect(CalendarZones().zone(named: name, in: Self.town, Self.find)?.name == found)
    }

    private func definition(_ offset: String, rule: Bool = true) -> CalendarZoneDefinition {
        var definition = CalendarZoneDefinition()
        let lines = ["BEGIN", "DTSTART:20070101T000000", "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)"]
        definition.beginObservance()
        for line in ContentLineReader(Array(lines.dropFirst().joined(separator: "\n").utf8)) { definition.read(line) }
        return definition
    }

    @Test(arguments: [("-0800", "America/Vancouver"), ("+0100", "Europe/Berlin"), ("+0117", "")])
    func byDefinition(offset: String, found: String) {
        var zones = CalendarZones()
        zones.definitions["Own"] = definition(offset)
        zones.years = 2027...2027
        let zone = zones.resolved(["Own"], in: Self.town, Self.find).zone(named: "Own", in: Self.town, Self.find)
        #expect(zone?.name == found)
    }

    @Test func theRulesOfADefinition() throws {
        var definition = CalendarZoneDefinition()
        for (from, to, rule) in [("-0400", "-0500", "BYMONTH=11;BYDAY=1SU"), ("-0500", "-0400", "BYMONTH=3;BYDAY=2SU")]
        {
            definition.beginObservance()
            let lines = [
                "DTSTART:16010101T020000", "TZOFFSETFROM:\(from)", "TZOFFSETTO:\(to)", "RRULE:FREQ=YEARLY;\(rule)",
            ]
            for line in ContentLineReader(Array(lines.joined(separator: "\n").utf8)) { definition.read(line) }
        }
        let zone = try #require(definition.zone(in: 2027...2028))
        for (moment, offset) in [
            ("2027-01-01T00:00:00Z", -5), ("2027-03-14T06:59:59Z", -5), ("2027-03-14T07:00:00Z", -4),
            ("2027-11-07T05:59:59Z", -4), ("2027-11-07T06:00:00Z", -5), ("2028-07-01T00:00:00Z", -4),
        ] {
            #expect(zone.offset(at: try #require(Timestamp(rfc3339: moment))) == offset * 3600, "\(moment)")
        }
    }
}
