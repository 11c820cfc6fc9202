import Bytes
import Foundation
import SookeModel
import TestSupport
import Testing

@testable import Exchange
@testable import Store

/// The calendar of a town, read again, has its events.
@Suite struct CalendarRoundTripTests {
    @Test func theTown() throws {
        var town = TestTown()
        try town.take(try SampleTests.files("data/sooke.json", "data/events.csv"), EventRoundTripTests.options)
        let events = Array(Event.all(in: town.town))
        var copy = town
        try copy.removeEvents()
        let report = try copy.take(
            [ImportFile("x.ics", EventRoundTripTests.calendar(of: town.town))], EventRoundTripTests.options)
        #expect(report[.event].created == events.count && report.warnings.isEmpty, "\(report.warnings.lines)")
        for event in events { #expect(try copy.event(event.slug.text).shown == event.shown) }
        #expect(events.contains { !$0.overrides.isEmpty })
    }
}

extension Event {
    /// What a calendar shows of it.
    fileprivate var shown: Event {
        var event = self
        (event.id, event.submittedBy, event.times) = (0, nil, RecordTimes())
        (event.formerSlugs, event.pendingSlug) = ([], nil)
        if event.status == .pendingReview { event.status = .draft }
        return event
    }
}
