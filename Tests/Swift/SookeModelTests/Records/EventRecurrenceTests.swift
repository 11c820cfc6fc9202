import Bytes
import JSON
import Testing

@testable import SookeModel

/// The series of an event in a dataset.
@Suite struct EventRecurrenceTests {
    private func event(_ json: String) throws -> (event: Event, problems: [String]) {
        var (event, problems, reader) = (Event(), FieldProblems(), JSONReader(Array(json.utf8)))
        _ = try event.readFields(from: &reader, unknown: .refused, &problems)
        event.settle(after: nil, in: TimeZone(name: "UTC", fixedOffset: 0), &problems)
        event.validateInput(&problems)
        return (event, problems.all.map(\.description))
    }

    private static let start =
        #""id":1,"name":"Jam","slug":"jam","event_type":"music","starts_at":"2026-10-23T02:00:00Z""#

    /// What an event that takes place once does not have is not written, so that earlier files keep their bytes.
    @Test func emptyFieldsAreLeftOut() throws {
        let once = try event("{\(Self.start)}").event
        let text = String(decoding: once.written, as: UTF8.self)
        for name in ["time_zone", "rrule", "exdates", "rdates", "overrides"] { #expect(!text.contains(name)) }
        let nulls = try event(
            "{\(Self.start),\"time_zone\":null,\"rrule\":null,\"exdates\":null,\"rdates\":null,\"overrides\":null}")
        #expect(nulls.event == once && nulls.problems.isEmpty)
    }

    /// A time in UTC beyond the calendar could be written, but not read by the next start.
    @Test(arguments: [253_402_300_799, 253_402_300_800, -62_167_219_200, -62_167_219_201])
    func timesInListsAreValidatedLikeOthers(seconds: Int) throws {
        let time = LocalTime(clock: Timestamp(clampingSeconds: seconds))
        func changed(_ set: (inout EventOverride) -> Void) -> EventOverride {
            var override = EventOverride()
            set(&override)
            return override
        }
        let changes: [(String, (inout Event) -> Void)] = [
            ("starts_local", { $0.startsLocal = time }), ("exdates[1]", { $0.exdates = [.placeholder, time] }),
            ("rdates[0]", { $0.rdates = [time] }),
            ("overrides[0].occurrence", { $0.overrides = [changed { $0.occurrence = time }] }),
            ("overrides[0].starts_local", { $0.overrides = [changed { $0.startsLocal = time }] }),
            ("overrides[0].ends_local", { $0.overrides = [changed { $0.endsLocal = time }] }),
        ]
        for (field, change) in changes {
            var (event, problems) = (try event("{\(Self.start)}").event, FieldProblems())
            change(&event)
            event.validateInput(&problems)
            let isRefused = problems.all.contains { $0.field == field && $0.message.contains("0 to 9999") }
            #expect(isRefused == !time.clock.hasText, "\(field)")
        }
    }

    /// Whether a rule has an occurrence depends on the day of the start on the clocks.
    @Test(arguments: [
        ("FREQ=YEARLY;BYMONTH=2", "2026-03-01T07:00:00Z", true),
        ("FREQ=DAILY;UNTIL=20261023", "2026-10-23T02:00:00Z", true),
        ("FREQ=DAILY;UNTIL=20261022", "2026-10-23T02:00:00Z", false),
        ("FREQ=DAILY;UNTIL=20261020", "2026-10-23T02:00:00Z", false),
    ])
    func ruleWithoutOccurrence(rule: String, start: String, isValid: Bool) throws {
        let json =
            #"{"id":1,"name":"Jam","slug":"jam","event_type":"music","starts_at":"\#(start)","rrule":"\#(rule)"}"#
        let problems = try event(json).problems
        #expect(
            problems == (isValid ? [] : ["rrule: has no occurrence from starts_at on; change the rule or the start"]))
    }
}
