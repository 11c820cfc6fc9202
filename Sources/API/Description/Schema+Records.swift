import Service
import SookeModel
import Store

extension Schema {
    static let hours = Schema(DayHours.schemaName, of: DayHours.fields)
    static let specialHours = Schema(SpecialHours.schemaName, of: SpecialHours.fields)
    static let holidayDate = Schema(HolidayDate.schemaName, of: HolidayDate.fields)
    static let menu = Schema(Menu.schemaName, of: Menu.fields)
    static let menuItem = Schema(MenuItem.schemaName, of: MenuItem.fields)
    static let eventOverride = Schema(EventOverride.schemaName, of: EventOverride.fields)
    static let category = Schema(Category.self)
    static let eventType = Schema(EventType.self)
    static let user = Schema(Person.self)
    static let settings = Schema(Settings.self)

    static let unconfirmed = Schema(
        "unconfirmed", .shown("holiday", .text, "The name of the public holiday on which the hours are not confirmed"))

    static let openState = Schema(
        "open_state",
        .shown(
            "status", .choice(OpenState.Status.allCases.map(\.rawValue)),
            "Whether it is open; soon means within one hour"),
        .shown(
            "until", .moment,
            "When it opens, closes, or is confirmed otherwise on a public holiday; null when that is not known"),
        .shown("next_open", .moment, "When it opens next; null when that is not known"),
        .shown("reason", .choice(OpenState.Reason.allCases.map(\.rawValue)), "Which hours decide"),
        .shown("comment", .text, "A remark on these hours, such as the name of a holiday"),
        .shown(
            "unconfirmed", .object(unconfirmed.name),
            "Only where nobody has said whether it is open as usual on a public holiday: now, or when it opens next"))

    static let match = Schema(
        "match",
        .shown("field", .text, "The member that matches"),
        .shown("text", .text, "The word or the phrase in it that matches"),
        .shown("item", .text, "The name of the item on a menu that matches"))

    static let business = Schema(
        Business.self,
        adding: [
            "description": [
                .shown("category_name", .text, "The name of its category"),
                .shown("category_slug", .text, "The slug of its category"),
            ],
            "website": [
                .shown(
                    "has_location", .flag,
                    "Only when it is false: the location is not known, and latitude and longitude are the town's"),
                .shown("today_hours", .object(hours.name), "The hours of today; null if they are not known"),
                .shown("open_state", .object(openState.name), "Whether it is open now, and until when"),
                .shown("distance_m", .number, "In lists with near: the distance from there in metres"),
                .shown("matches", .list(match.name), "Only with q: what matches, to be highlighted"),
            ],
            "confirmed_at": [.shown("checked", .text, "How long ago that was, such as 3 weeks ago")],
        ])

    /// The others are only in its detail.
    static let businessItemFields: [String] = {
        let onlyInDetail = Business.shown.subtracting(Business.listed).names + ["checked"]
        return business.fields.filter { $0.isShown && !onlyInDetail.contains($0.name) }.map(\.name)
    }()

    static let event = Schema(
        Event.self,
        adding: [
            "event_type": [
                .shown("matches", .list(match.name), "Only with q: what matches, to be highlighted"),
                .shown("event_type_name", .text, "The name of its event type"),
                .shown("event_type_slug", .text, "The slug of its event type"),
            ],
            "overrides": [
                .shown(
                    "occurrences", .list(occurrence.name),
                    "Only of an event in a series, and not in lists without from, to or when: its occurrences in the"
                        + " range, at most 100; without a range the next 10"),
                .shown("has_more_occurrences", .flag, "Only with occurrences: whether the range has more"),
            ],
            "business": [
                .shown("business_name", .text, "The name of the business where it happens"),
                .shown("business_slug", .text, "The slug of the business where it happens"),
            ],
            "status": [
                .shown(
                    "withdrawn_at", .moment,
                    "Only of an event that its calendar no longer has: since when; it is gone after seven days")
            ],
            "host": [
                .shown("host_name", .text, "The name of the business that organizes it; only where there is one"),
                .shown("host_slug", .text, "Its slug; only where there is one"),
            ],
            "ends_at": [
                FieldDescription(
                    "series_starts_at", .moment, use: .both,
                    "Only of an event in a series: the start that is stored, while starts_at is that of its next"
                        + " occurrence, else of its last; in requests, another name of starts_at"),
                FieldDescription(
                    "series_ends_at", .moment, use: .both, "The same of the end; in requests, another name of ends_at"),
                FieldDescription(
                    "series_starts_local", .localTime, use: .both, "The same as series_starts_at on its clocks"),
                FieldDescription(
                    "series_ends_local", .localTime, use: .both, "The same as series_ends_at on its clocks"),
                .shown("start_time", .moment, "The same as starts_at"),
                .shown("end_time", .moment, "The same as ends_at; starts_at when there is no end"),
            ],
        ])

    static let occurrence = Schema(
        "occurrence",
        .shown("starts_at", .moment, "When it begins"),
        .shown("ends_at", .moment, "When it is over; null if that is not known"),
        .shown("starts_local", .localTime, "The same as starts_at on the clocks of the event"),
        .shown("ends_local", .localTime, "The same as ends_at on the clocks of the event"),
        .shown("name", .text, "Its own name, where it has one"),
        .shown("description", .text, "Its own description, where it has one"),
        .shown("location", .text, "Its own place in words, where it has one"),
        .shown(
            "status", .choice(Event.Status.allCases.map(\.rawValue)),
            "The status of the event; cancelled if only this occurrence is"),
        .shown(
            "original_starts_at", .moment,
            "When it would begin if it had not been moved, which identifies it in overrides; null if it was not"))

    static let proposal = Schema(
        Proposal.self,
        adding: [
            "business": [
                .shown(
                    "business_slug", .text,
                    "The slug of the business that it is about, or where the event is to take place"),
                .shown("business_name", .text, "Its name"),
            ],
            "changes": [
                .shown(
                    "changes", .any,
                    "The proposed fields, as an object; null for a report as text, and after the decision")
            ],
            "submitted_by": [
                .shown("is_of_member", .flag, "Whether the sender has an account"),
                .shown("submitted_by_name", .text, "What others call the sender"),
            ],
            "event": [
                .shown("event_slug", .text, "The slug of the event that came of it"),
                .shown("version", .text, "The version to be named by an acceptance"),
            ],
        ])

    static let feedChange = Schema(
        "feed_change",
        .shown("kind", .choice(ChangeTopics.kinds.map(\.name)), "The kind of the record"),
        .shown(
            "action", .choice(FeedEvent.Action.allCases.map(\.rawValue)),
            "What happened to it for this client, who may see it for the first or the last time"),
        .shown("id", .integer, "The ID of the record"),
        .shown("slug", .text, "Its slug; of a deleted one, the last"),
        .shown("former_slug", .text, "Only when the slug has changed: the one before"),
        .shown(
            "record", .any,
            "Its detail, without what depends on the clock or on other records; absent when it was deleted"))
}
