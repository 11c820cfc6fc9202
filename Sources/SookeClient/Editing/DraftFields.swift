import SookeModel

/// A draft of a business. Its menus are not part of it.
public typealias BusinessDraft = Draft<BusinessField>
/// A draft of an event.
public typealias EventDraft = Draft<EventField>

/// The fields of the draft of a business, in the order of a form. Latitude and longitude are in degrees north and east.
public enum BusinessField: String, DraftField {
    case name
    case description
    /// The slug of its category, which only an editor may change.
    case category
    /// Street and house number.
    case address
    case phone
    case email
    case website
    case latitude
    case longitude
    case hours
}

extension BusinessField {
    /// The record of the server.
    public typealias Model = SookeModel.Business

    /// The path of a business.
    public static func path(of slug: String) -> String { APIPath.business(slug) }

    /// Sorts the hours and gives them IDs, as the server does.
    public static func complete(_ record: inout Model) {
        record.sortHours()
        for index in record.hours.indices { record.hours[index].id = index + 1 }
    }
}

extension BusinessDraft {
    /// The hours, by day of the week; a day without a row is unknown. Times are `HH:MM` or `HH:MM:SS`.
    public var hours: [BusinessHour] {
        get { rows }
        set { rows = newValue }
    }

    /// The hours of a day, 0 for Sunday to 6 for Saturday; nil if they are unknown.
    public subscript(hoursOn dayOfWeek: Int) -> BusinessHour? {
        get { hours.first { $0.dayOfWeek == dayOfWeek } }
        set {
            hours.removeAll { $0.dayOfWeek == dayOfWeek }
            if let newValue { hours.append(newValue) }
            hours.sort { $0.dayOfWeek < $1.dayOfWeek }
        }
    }
}

extension BusinessEditModel {
    /// What is wrong with the hours of a day, 0 for Sunday to 6 for Saturday; nil if nothing is known to be.
    public func problem(ofHoursOn dayOfWeek: Int) -> String? {
        // Problems are at places of the list, by day.
        guard let index = draft.hours.firstIndex(where: { $0.dayOfWeek == dayOfWeek }) else { return nil }
        let fields = [("", ""), (".open_time", "the opening time "), (".close_time", "the closing time ")]
        for (field, name) in fields + [(".day_of_week", "the day ")] {
            if let message = problems["hours[\(index)]\(field)"] { return name + message }
        }
        return nil
    }
}

/// The fields of the draft of an event, in the order of a form. Start and end are RFC 3339.
public enum EventField: String, DraftField {
    case name
    case description
    case eventType = "event_type"
    /// The slug of the business where it takes place.
    case business
    /// Degrees north of a public place; empty for an event at a business.
    case latitude
    /// Degrees east of a public place; empty for an event at a business.
    case longitude
    case startsAt = "starts_at"
    /// The end; empty if it is not known.
    case endsAt = "ends_at"
    /// Where it is, in words.
    case location
    /// The slug of the business that organizes it.
    case host
    /// Who organizes it, in words.
    case organizer
    /// What it costs, in words.
    case price
    /// The address of a page about it.
    case url
}

extension EventField {
    /// The record of the server.
    public typealias Model = SookeModel.Event

    /// The path of an event.
    public static func path(of slug: String) -> String { APIPath.event(slug) }

    /// Responses show the coordinates of its business, which are not its own.
    public static func complete(_ draft: inout EventDraft) {
        if !draft.business.isEmpty { (draft.latitude, draft.longitude) = ("", "") }
    }
}
