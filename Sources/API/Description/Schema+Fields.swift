import SookeModel
import Store

/// The members of objects of each kind, in the order of responses.
extension Schema {
    /// The members; empty for an object that is not described by fields.
    var fields: [FieldDescription] {
        switch self {
        case .health: Self.healthFields
        case .trouble: Self.troubleFields
        case .business: Self.businessFields
        case .hours: Self.fields(of: DayHours.fields)
        case .specialHours: Self.fields(of: SpecialHours.fields)
        case .holidayDate: Self.fields(of: HolidayDate.fields)
        case .openState: Self.openStateFields
        case .match: Self.matchFields
        case .menu: Self.fields(of: Menu.fields)
        case .menuItem: Self.fields(of: MenuItem.fields)
        case .event: Self.eventFields
        case .eventOverride: Self.fields(of: EventOverride.fields)
        case .occurrence: Self.occurrenceFields
        case .rejection: [FieldDescription("reason", .text, use: .given, required: true, "Why; not empty")]
        case .approval:
            [
                FieldDescription(
                    "version", .text, use: .given,
                    "Which version was read: the part of its entity tag before the dot; may be left out with If-Match")
            ]
        case .proposal: Self.proposalFields
        case .proposalAcceptance:
            Self.approval.fields + [
                FieldDescription(
                    "changes", .any, use: .given,
                    "What counts instead of the proposed fields, after an edit: all fields of the event, or those of the"
                        + " business to be changed")
            ]
        case .role, .session, .openSession, .credentials, .passwordChange, .newPassword, .passwordReset,
            .invitation, .acceptance, .setup, .setupLink, .confirmationLink, .confirmation, .token:
            accountFields
        case .status, .counts, .feed, .feedChange, .snapshot, .readOnly, .report, .importProgress, .change, .author,
            .fieldChange,
            .audit, .clockFollowers:
            serverFields
        default: Town.recordTypes.first { $0.kind.name == rawValue }.map { Self.fields(of: $0.fields) } ?? []
        }
    }

    private static let healthFields = [
        FieldDescription(
            "status", .choice(["ok", "degraded"]), use: .shown, "Whether the town can be read and written"),
        FieldDescription(
            "db_status", .choice(["connected", "disconnected"]), use: .shown, "Whether it can be written"),
        FieldDescription("snapshot", .one(.trouble), use: .shown, "Only while no snapshot can be written"),
        FieldDescription("storage", .one(.trouble), use: .shown, "Only while a file is damaged"),
        FieldDescription("read_only", .flag, use: .shown, "Only while the town is read-only; true then"),
    ]

    private static let troubleFields = [
        FieldDescription("status", .choice(["failed", "damaged"]), use: .shown, "What is wrong"),
        FieldDescription("since", .moment, use: .shown, "When it was first noticed"),
    ]

    private static let openStateFields = [
        FieldDescription(
            "status", .choice(OpenState.Status.allCases.map(\.rawValue)), use: .shown,
            "Whether it is open; soon means within one hour"),
        FieldDescription("until", .moment, use: .shown, "When it opens or closes next; null when that is not known"),
        FieldDescription("next_open", .moment, use: .shown, "When it opens next; null when that is not known"),
        FieldDescription(
            "reason", .choice(OpenState.Reason.allCases.map(\.rawValue)), use: .shown, "Which hours decide"),
        FieldDescription("comment", .text, use: .shown, "A remark on these hours, such as the name of a holiday"),
    ]

    private static let matchFields = [
        FieldDescription("field", .text, use: .shown, "The member that matches"),
        FieldDescription("text", .text, use: .shown, "The word or the phrase in it that matches"),
        FieldDescription("item", .text, use: .shown, "The name of the item on a menu that matches"),
    ]

    private static let businessFields = fields(
        of: Business.fields,
        adding: [
            "description": [
                FieldDescription("category_name", .text, use: .shown, "The name of its category"),
                FieldDescription("category_slug", .text, use: .shown, "The slug of its category"),
            ],
            "website": [
                FieldDescription(
                    "has_location", .flag, use: .shown,
                    "Only when it is false: the location is not known, and latitude and longitude are the town's"),
                FieldDescription(
                    "today_hours", .one(.hours), use: .shown, "The hours of today; null if they are not known"),
                FieldDescription("open_state", .one(.openState), use: .shown, "Whether it is open now, and until when"),
                FieldDescription(
                    "distance_m", .number, use: .shown, "In lists with near: the distance from there in metres"),
                FieldDescription("matches", .list(.match), use: .shown, "Only with q: what matches, to be highlighted"),
            ],
            "confirmed_at": [
                FieldDescription("checked", .text, use: .shown, "How long ago that was, such as 3 weeks ago")
            ],
        ])

    /// The members of a business in lists; the others are only in its detail.
    static let businessItemFields: [String] = {
        let onlyInDetail = Business.shown.subtracting(Business.listed).names + ["checked"]
        return businessFields.filter { $0.isShown && !onlyInDetail.contains($0.name) }.map(\.name)
    }()

    private static let eventFields = fields(
        of: Event.fields,
        adding: [
            "event_type": [
                FieldDescription("matches", .list(.match), use: .shown, "Only with q: what matches, to be highlighted"),
                FieldDescription("event_type_name", .text, use: .shown, "The name of its event type"),
                FieldDescription("event_type_slug", .text, use: .shown, "The slug of its event type"),
            ],
            "overrides": [
                FieldDescription(
                    "occurrences", .list(.occurrence), use: .shown,
                    "Only of an event in a series, and not in lists without from, to or when: its occurrences in the"
                        + " range, at most 100; without a range the next 10"),
                FieldDescription(
                    "has_more_occurrences", .flag, use: .shown, "Only with occurrences: whether the range has more"),
            ],
            "business": [
                FieldDescription("business_name", .text, use: .shown, "The name of the business where it happens"),
                FieldDescription("business_slug", .text, use: .shown, "The slug of the business where it happens"),
            ],
            "ends_at": [
                FieldDescription(
                    "series_starts_at", .moment,
                    "Only of an event in a series: the start that is stored, while starts_at is that of its next"
                        + " occurrence, else of its last; in requests, another name of starts_at"),
                FieldDescription(
                    "series_ends_at", .moment, "The same of the end; in requests, another name of ends_at"),
                FieldDescription("start_time", .moment, use: .shown, "The same as starts_at"),
                FieldDescription(
                    "end_time", .moment, use: .shown, "The same as ends_at; starts_at when there is no end"),
            ],
        ])

    private static let proposalFields = fields(
        of: Proposal.fields,
        adding: [
            "business": [
                FieldDescription(
                    "business_slug", .text, use: .shown,
                    "The slug of the business that it is about, or where the event is to take place"),
                FieldDescription("business_name", .text, use: .shown, "Its name"),
            ],
            "changes": [
                FieldDescription(
                    "changes", .any, use: .shown,
                    "The proposed fields, as an object; null for a report in words, and after the decision")
            ],
            "submitted_by": [
                FieldDescription("is_of_member", .flag, use: .shown, "Whether the sender has an account"),
                FieldDescription("submitted_by_name", .text, use: .shown, "What others call the sender"),
            ],
            "event": [
                FieldDescription("event_slug", .text, use: .shown, "The slug of the event that came of it"),
                FieldDescription("version", .text, use: .shown, "The version to be named by an acceptance"),
            ],
        ])

    private static let occurrenceFields = [
        FieldDescription("starts_at", .moment, use: .shown, "When it begins"),
        FieldDescription("ends_at", .moment, use: .shown, "When it is over; null if that is not known"),
        FieldDescription(
            "status", .choice(Event.Status.allCases.map(\.rawValue)), use: .shown,
            "The status of the event; cancelled if only this occurrence is"),
        FieldDescription(
            "original_starts_at", .moment, use: .shown,
            "When it would begin if it had not been moved, which identifies it in overrides; null if it was not"),
    ]
}
