import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// What a page shows: one version of the town, at one moment, on the clocks of the town; and until when it stays so.
final class View {
    let call: Call
    let town: Town
    let frame: Frame
    let words: Words
    /// The clocks by which businesses open, and those by which events take place.
    let hours: OpenHoursClock
    let events: EventClock
    /// When something on the page opens, closes or ends: at the latest when the day does.
    private(set) var until: Timestamp

    init(_ call: Call, _ frame: Frame) {
        (self.call, self.frame, town) = (call, frame, call.town)
        words = Words(at: call.now, in: call.townZone)
        (hours, events) = (call.service.openHoursClock(of: town, at: call.now), call.eventClock)
        until = words.zone.start(of: words.today.advanced(by: 1))
    }

    func may(_ access: Access, at slug: Slug) -> Bool {
        (try? access.check(call.caller, slug: slug, in: town)) != nil
    }

    /// Whose drafts a device keeps.
    var drafts: String { frame.person.map { "\($0.id)" } ?? "0" }

    /// Takes note that something on the page changes at a moment.
    func changes(at moment: Timestamp?) {
        if let moment, moment > call.now { until = min(until, moment) }
    }

    func state(of business: BusinessRecord) -> OpenWords {
        let state = business.openState(at: hours)
        changes(at: state.validUntil)
        return OpenWords(state, words)
    }

    func holiday(on date: CivilDate) -> String? { hours.moment.holidays.name(on: date) }

    /// The time from now, or from the midnight of a later day, for some days.
    func days(_ count: Int, from first: CivilDate? = nil) -> Range<Timestamp> {
        let first = max(first ?? words.today, words.today)
        let start = max(call.now, words.zone.start(of: first))
        return start..<max(start, words.zone.start(of: first.advanced(by: count)))
    }

    var series: UpcomingSeries { call.version.upcomingSeries(at: events) }

    func agenda(of query: EventQuery, limit: Int, each: Int, hasWholeDay: Bool = false) -> Agenda {
        var query = query
        query.series = series
        let agenda = Agenda(of: query, limit: limit, each: each, hasWholeDay: hasWholeDay, in: self)
        changes(at: agenda.firstChange)
        return agenda
    }

    /// The business at which an event takes place. One without a category is not listed: nothing of it is shown.
    func place(of event: EventRecord) -> BusinessRecord? {
        town.business(of: event).flatMap { $0.categoryID == nil ? nil : $0 }
    }

    func category(of business: BusinessRecord) -> Category? {
        business.categoryID.flatMap { town.categories[$0]?.value }
    }
}

extension String? {
    /// The text, if there is one: clients also send an empty one for none.
    var shown: String? { flatMap(\.shown) }
}

extension String {
    /// The text, unless it is empty.
    var shown: String? { isEmpty ? nil : self }
}
