import SookeModel

/// What objects of each kind hold, in the order in which answers show it.
extension Shape.Noun {
    /// The members; empty for what has a form of its own.
    var fields: [FieldDescription] {
        switch self {
        case .health: Self.healthFields
        case .trouble: Self.troubleFields
        case .business: Self.businessFields
        case .hours: Self.hoursFields
        case .menu: Self.menuFields
        case .menuItem: Self.menuItemFields
        case .event: Self.eventFields
        case .rejection: [FieldDescription(Event.Field.reason, .text, use: .given, required: true, "Why; not empty")]
        case .approval:
            [
                FieldDescription(
                    "version", .text, use: .given,
                    "Which version was read: the part of its entity tag before the dot; may be left out with If-Match")
            ]
        case .category, .eventType: Self.termFields
        case .user, .role, .session, .openSession, .credentials, .passwordChange, .newPassword, .passwordReset,
            .invitation, .acceptance, .setup, .token:
            accountFields
        case .status, .counts, .snapshot, .report, .change, .author, .fieldChange, .audit:
            serverFields
        }
    }

    private static let healthFields = [
        FieldDescription(
            "status", .choice(["ok", "degraded"]), use: .shown, "Whether the town can be read and written"),
        FieldDescription(
            "db_status", .choice(["connected", "disconnected"]), use: .shown, "Whether it can be written"),
        FieldDescription("snapshot", .one(.trouble), use: .shown, "Only while no snapshot can be written"),
        FieldDescription("storage", .one(.trouble), use: .shown, "Only while a file is damaged"),
    ]

    private static let troubleFields = [
        FieldDescription("status", .choice(["failed", "damaged"]), use: .shown, "What is wrong"),
        FieldDescription("since", .moment, use: .shown, "When it was first noticed"),
    ]

    private static let businessFields = [
        FieldDescription(Business.Field.id, .integer, use: .shown, "Its number, which is never given again"),
        FieldDescription(Business.Field.name, .text, required: true, "What people call it; at most 500 characters"),
        FieldDescription(
            Business.Field.slug, .text, "Its part of the address; made from the name when it is left out"),
        FieldDescription(Business.Field.description, .text, "What it is about; at most 10,000 characters"),
        FieldDescription(
            Business.Field.category, .text, use: .given, "The slug of its category; without one it is not listed"),
        FieldDescription("category_name", .text, use: .shown, "What its category is called"),
        FieldDescription("category_slug", .text, use: .shown, "The slug of its category"),
        FieldDescription(Business.Field.ownerID, .integer, use: .given, "The number of the user who looks after it"),
        FieldDescription(Business.Field.address, .text, required: true, "Street and house number"),
        FieldDescription(Business.Field.latitude, .number, required: true, "Degrees north, -90 to 90"),
        FieldDescription(Business.Field.longitude, .number, required: true, "Degrees east, -180 to 180"),
        FieldDescription(Business.Field.phone, .text, "How to call it; at most 50 characters"),
        FieldDescription(Business.Field.email, .text, "How to write to it"),
        FieldDescription(Business.Field.website, .text, "Its own pages; an http or https address"),
        FieldDescription("today_hours", .one(.hours), use: .shown, "When it is open today; null when nobody said"),
        FieldDescription(Business.Field.hours, .list(.hours), "When it is open; at most one row a day of the week"),
        FieldDescription(Business.Field.menus, .list(.menu), "What it serves"),
    ]

    private static let hoursFields = [
        FieldDescription("id", .integer, use: .given, "The number that the row has already; leave it out"),
        FieldDescription("day_of_week", .integer, required: true, "0 for Sunday to 6 for Saturday"),
        FieldDescription("open_time", .time, required: true, "When the doors open; may be left out when closed"),
        FieldDescription(
            "close_time", .time, required: true,
            "When they close; at or before open_time is on the next day; may be left out when closed"),
        FieldDescription("is_closed", .flag, "Whether the doors stay shut all day"),
    ]

    private static let menuFields = [
        FieldDescription("id", .integer, use: .shown, "Its number; inside a business it may be given, to keep it"),
        FieldDescription("name", .text, required: true, "What people read, such as Lunch"),
        FieldDescription("description", .text, "When or how it is served"),
        FieldDescription("items", .list(.menuItem), "What is on it"),
    ]

    private static let menuItemFields = [
        FieldDescription("id", .integer, use: .shown, "Its number; inside a menu it may be given, to keep it"),
        FieldDescription("name", .text, required: true, "What people order"),
        FieldDescription("description", .text, "What it is made of"),
        FieldDescription("price", .price, required: true, "What it costs, at most 99999999.99"),
    ]

    private static let eventFields = [
        FieldDescription(Event.Field.id, .integer, use: .shown, "Its number, which is never given again"),
        FieldDescription(Event.Field.name, .text, required: true, "What people call it; at most 500 characters"),
        FieldDescription(Event.Field.slug, .text, "Its part of the address; made from the name when it is left out"),
        FieldDescription(Event.Field.description, .text, "What it is about; at most 10,000 characters"),
        FieldDescription(Event.Field.eventType, .text, use: .given, required: true, "The slug of its event type"),
        FieldDescription("event_type_name", .text, use: .shown, "What its event type is called"),
        FieldDescription("event_type_slug", .text, use: .shown, "The slug of its event type"),
        FieldDescription(
            Event.Field.business, .text, use: .given, "The slug of the business where it happens; not with coordinates"),
        FieldDescription(Event.Field.latitude, .number, "Degrees north; of the business when it happens at one"),
        FieldDescription(Event.Field.longitude, .number, "Degrees east; of the business when it happens at one"),
        FieldDescription(Event.Field.startsAt, .moment, required: true, "When it begins"),
        FieldDescription(Event.Field.endsAt, .moment, "When it is over, not before it begins"),
        FieldDescription("start_time", .moment, use: .shown, "The same as starts_at"),
        FieldDescription("end_time", .moment, use: .shown, "The same as ends_at; starts_at when there is no end"),
        FieldDescription(
            Event.Field.status, .choice(Event.Status.allCases.map(\.rawValue)), use: .shown,
            "How far it is on its way to the public; approve, reject, cancel and resubmit change it"),
        FieldDescription("business_name", .text, use: .shown, "What the business where it happens is called"),
        FieldDescription("business_slug", .text, use: .shown, "The slug of the business where it happens"),
        FieldDescription(Event.Field.reason, .text, use: .shown, "Why it was rejected; never shown to strangers"),
    ]

    private static let termFields = [
        FieldDescription(TermField.id, .integer, use: .shown, "Its number, which is never given again"),
        FieldDescription(TermField.name, .text, required: true, "What people read; at most 500 characters"),
        FieldDescription(TermField.slug, .text, "What stands in addresses; made from the name when it is left out"),
    ]
}
