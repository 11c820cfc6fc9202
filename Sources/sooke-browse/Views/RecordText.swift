import Foundation
import SookeClient
import ViewTree

/// A text in the style of what it says, by its number in a list.
struct StyledText: Identifiable {
    let id: Int
    let text: String
    let role: TextStyle.Role

    init(_ text: String, _ role: TextStyle.Role = .primary, id: Int = 0) {
        (self.id, self.text, self.role) = (id, text, role)
    }
}

extension StyledText {
    init(_ notice: Notice, _ clock: TownClock) {
        let severity = notice.severity == "information" ? "" : notice.severity.capitalized + ": "
        let end = notice.until?.date.map { " · until \(clock.day($0)), \(clock.time($0))" } ?? ""
        self.init(
            severity + notice.title + end, notice.severity == "danger" ? .warning : .primary, id: Int(notice.id))
    }
}

struct RecordRow: Identifiable {
    let id: Int64
    let name: String
    /// Its category, or where it takes place: there is not always room for it.
    let place: String
    /// The day on which an event begins, empty in the rows after the first one of a day; nil for a business.
    var day: String?
    var time = ""
    /// Whether a business is open; nil for an event.
    var state: OpenText?

    init(_ business: Business, _ clock: TownClock) {
        (id, name, place) = (business.id, business.name, business.categoryName)
        state = OpenText(business.openState, clock.of(business.timeZone))
    }

    init(_ event: EventDetails, _ clock: TownClock, after day: String) {
        (id, name) = (event.id, event.name)
        place = event.status == "cancelled" ? "cancelled" : event.businessName ?? event.eventTypeName
        let start = event.startTime.date
        self.day = start.map(clock.day) ?? "?"
        time = start.map(clock.time) ?? ""
        if self.day == day { self.day = "" }
    }
}

struct RecordText {
    let name: String
    /// Nil for an event, which is not edited here.
    var slug: String?
    let state: StyledText?
    private var lines: [StyledText] = []

    init(_ business: BusinessDetails, _ clock: TownClock, _ currency: String?, at now: Date) {
        let own = clock.of(business.timeZone)
        let state = OpenText(business.openState, own)
        (name, slug) = (business.name, business.slug)
        self.state = StyledText(state.text, state.role)
        lines = [StyledText(business.todayHoursString(for: now, in: own.zone))]
        addLines([business.addressOrArea, business.phone, business.email, business.website, business.categoryName])
        addDescription(business.description)
        addHeading("Hours")
        for (day, name) in TownClock.days.enumerated() {
            let hours = business.hours.filter { $0.dayOfWeek == day }.map(clock.hours)
            lines.append(StyledText("\(name)  \(hours.isEmpty ? "unknown" : hours.joined(separator: ", "))"))
        }
        if let answer = business.publicHolidays {
            lines.append(StyledText("Public holidays  \(answer.split(separator: "_").joined(separator: " "))"))
        }
        for menu in business.menus {
            addHeading(menu.name)
            for item in menu.items {
                lines.append(StyledText("\(item.name)  \(item.price(in: currency))"))
                addLines([item.description])
            }
        }
    }

    init(_ event: EventDetails, _ clock: TownClock) {
        name = event.name
        state =
            event.status == "approved"
            ? nil : StyledText(event.status.split(separator: "_").joined(separator: " "), .warning)
        let place = [event.eventTypeName, event.businessName].compactMap(\.self)
        lines = [StyledText(clock.span(event.startTime, event.endTime), .accent)]
        addLines(place)
        if let latitude = event.latitude, let longitude = event.longitude { addLines(["\(latitude), \(longitude)"]) }
        addDescription(event.description)
        let next = (event.occurrences ?? []).filter { $0.startsAt != event.startTime }
        if !next.isEmpty { addHeading("Next times") }
        lines += next.map { occurrence in
            let span = clock.span(occurrence.startsAt, occurrence.endsAt)
            return StyledText(occurrence.status == "cancelled" ? "\(span), cancelled" : span)
        }
    }

    /// In lines of a width: each that is in view can be reached, also those of a long text.
    func wrapped(to width: Int) -> [StyledText] {
        let lines = lines.flatMap { line in wrap(line.text, width).map { ($0, line.role) } }
        return lines.enumerated().map { StyledText($0.element.0, $0.element.1, id: $0.offset) }
    }

    private mutating func addLines(_ texts: [String?]) {
        lines += texts.compactMap(\.self).filter { !$0.isEmpty }.map { StyledText($0, .secondary) }
    }

    private mutating func addDescription(_ text: String?) {
        if let text, !text.isEmpty { lines += [StyledText(""), StyledText(text)] }
    }

    private mutating func addHeading(_ text: String) {
        lines += [StyledText(""), StyledText(text, .accent)]
    }
}

/// Whether a business is open, as the screen says it: colour and symbol differ.
struct OpenText {
    let text: String
    /// The text where there is little room; the symbol says the rest.
    let short: String
    /// Whether it is so only usually, on a public holiday.
    let isUnconfirmed: Bool
    let role: TextStyle.Role

    init(_ state: BusinessOpenState?, _ clock: TownClock) {
        let time = state?.until?.date.map(clock.time)
        if let state, let holiday = state.unconfirmed?.holiday {
            let opening = state.nextOpen?.date.map { "usually opens \(clock.day($0)) \(clock.time($0))" }
            let hours = state.isOpen ? time.map { "usually until \($0)" } ?? "usually open" : opening ?? "closed"
            text = "◌ \(hours), not confirmed for \(holiday)"
            short = state.isOpen ? time.map { "◌ usually to \($0)" } ?? "◌ usually open" : "○ closed"
            (role, isUnconfirmed) = (.soon, true)
            return
        }
        isUnconfirmed = false
        (text, short, role) =
            switch (state?.status, time) {
            case ("open", let time?): ("● open until \(time)", "● until \(time)", .open)
            case ("open", nil): ("● open", "● open", .open)
            case ("closing_soon", let time?): ("◐ closes at \(time)", "◐ until \(time)", .soon)
            case ("opens_soon", let time?): ("◔ opens at \(time)", "◔ from \(time)", .soon)
            case ("closed", _): ("○ closed", "○ closed", .secondary)
            default: ("? hours unknown", "? unknown", .secondary)
            }
    }
}

struct TownClock {
    static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    let zone: TimeZone
    private let calendar: Calendar
    private let has24Hours: Bool

    init(of town: TownReplica) { self.init(town.timeZone, has24Hours: town.settings?.clock == "24") }

    init(_ zone: TimeZone, has24Hours: Bool = false) {
        self.has24Hours = has24Hours
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        (self.zone, self.calendar) = (zone, calendar)
    }

    /// A business may have a time zone of its own.
    func of(_ zone: String?) -> TownClock {
        zone.flatMap(TimeZone.init(identifier:)).map { TownClock($0, has24Hours: has24Hours) } ?? self
    }

    /// A day: "Mon 23 Nov".
    func day(_ date: Date) -> String {
        let parts = calendar.dateComponents([.weekday, .day, .month], from: date)
        return "\(Self.days[(parts.weekday ?? 1) - 1]) \(parts.day ?? 0) \(Self.months[(parts.month ?? 1) - 1])"
    }

    /// A time of day: "4:12 pm", "noon", "16:12".
    func time(_ date: Date) -> String {
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        let text = [parts.hour ?? 0, parts.minute ?? 0].map { ($0 < 10 ? "0" : "") + "\($0)" }
        return spoken("\(text[0]):\(text[1]):00")
    }

    /// A time of day `HH:MM:SS` as people say it.
    private func spoken(_ time: String) -> String {
        if has24Hours { return String(time.prefix(5)) }
        return switch time {
        case "12:00:00": "noon"
        case "00:00:00", "24:00:00": "midnight"
        default: time.formattedAsTime.lowercased()
        }
    }

    func hours(_ day: BusinessHour) -> String {
        if day.isClosed { return "closed" }
        if day.openTime == "00:00:00", day.closeTime == day.openTime || day.closeTime == "24:00:00" {
            return "open 24 hours"
        }
        return "\(spoken(day.openTime)) – \(spoken(day.closeTime))"
    }

    /// The time from a start to an end in RFC 3339: "Fri 1 Jun 7:00 pm – 9:00 pm".
    func span(_ startTime: String, _ endTime: String?) -> String {
        guard let start = startTime.date else { return startTime }
        let text = "\(day(start)) \(time(start))"
        guard let end = endTime?.date, end != start else { return text }
        return "\(text) – \(day(end) == day(start) ? "" : "\(day(end)) ")\(time(end))"
    }
}

extension String {
    fileprivate var date: Date? { try? Date(self, strategy: .iso8601) }
}
