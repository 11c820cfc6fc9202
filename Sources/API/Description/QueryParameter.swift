/// Routes ignore unknown parameters, so a wrong name is not an error.
struct QueryParameter: Sendable, Hashable {
    let name: String
    /// One line without a full stop.
    let explanation: String
    let isRepeated: Bool
    let example: String

    private init(_ name: String, _ explanation: String, example: String, repeated: Bool = false) {
        (self.name, self.explanation) = (name, explanation)
        (self.example, isRepeated) = (example, repeated)
    }

    private static func flag(_ name: String, _ explanation: String, example: String = "true") -> QueryParameter {
        QueryParameter(name, "\(explanation): true or false", example: example)
    }

    static let page = QueryParameter("page", "The number of the page, from 1", example: "1")
    static let perPage = QueryParameter(
        "per_page", "The number of items per page, 1 to 100; 20 by default", example: "20")

    static let q = QueryParameter(
        "q",
        "Words that must all match, whole, as beginnings, as initials or with one typo, and phrases in quotes, also in"
            + " synonyms of categories and in phone numbers; the best matches first",
        example: "\"fish chips\"")
    static let search = QueryParameter("search", "A text that the name contains, ignoring case", example: "\"tide\"")
    static let openNow = QueryParameter(
        "open_now",
        "Whether only what is open now: true or false; confirmed leaves out what is unconfirmed on a public holiday",
        example: "true")
    static let openAt = QueryParameter(
        "open_at", "Only what is open at a time (RFC 3339)", example: "\"2026-12-24T18:00:00-08:00\"")
    static let category = QueryParameter("category", "The slug of a category", example: "\"restaurants\"")
    static let hasLocation = QueryParameter(
        "has_location", "false: only businesses whose location is not known yet", example: "true")
    static let timeZone = QueryParameter(
        "tz", "The time zone that defines today; by default the town's", example: "\"America/Vancouver\"")
    static let near = QueryParameter(
        "near", "Only places with a location, by distance from this latitude,longitude unless sort says otherwise",
        example: "\"48.3742,-123.7276\"")
    static let radius = QueryParameter(
        "radius_m", "Only within this many metres of near, along a great circle", example: "\"5000\"")
    static let boundingBox = QueryParameter(
        "bbox", "Only in the box of west,south,east,north; it crosses the date line if west is above east",
        example: "\"-123.8,48.3,-123.6,48.4\"")
    static let updatedSince = QueryParameter(
        "updated_since", "Only what was changed at or after this date and time", example: "\"2026-11-21T09:30:00Z\"")
    static let sort = QueryParameter(
        "sort", "The order: name; distance from near; or updated, the last changed first", example: "\"name\"")
    static let fields = QueryParameter(
        "fields", "Only these members of each item, between commas", example: "\"id,slug,name\"")
    static let all = flag("all", "Whether to return all items on one page", example: "false")
    static let cursor = QueryParameter(
        "cursor",
        "start begins a walk; then the member next_cursor of the response before: the page after it, also when records"
            + " were added or removed", example: "\"start\"")

    static let eventType = QueryParameter(
        "event_type", "The slug of an event type; several match any of them",
        example: "\"farmers-market\"", repeated: true)
    static let type = QueryParameter("type", "The same as event_type", example: "\"farmers-market\"", repeated: true)
    static let business = QueryParameter(
        "business", "The slug of the business where it happens", example: "\"the-slack-tide-pub\"")
    static let from = QueryParameter(
        "from",
        "The start of the range, which occurrences in progress are in: a date in the town's time zone, or a timestamp",
        example: "\"2026-12-24\"")
    static let to = QueryParameter(
        "to", "The end of the range: the last date in it, or the first time after it",
        example: "\"2026-12-31T23:00:00-08:00\"")
    static let when = QueryParameter(
        "when",
        "Instead of from and to, without what is over: today, weekend (Saturday and Sunday, this or the next) or week"
            + " (seven days from today on)", example: "\"weekend\"")
    static let firstDay = QueryParameter("from", "The first day of the special hours", example: "\"2026-12-24\"")
    static let lastDay = QueryParameter(
        "to", "Their last day, when several begin on the first one", example: "\"2026-12-26\"")

    static let status = QueryParameter(
        "status", "Events of this status that the caller may read, by ID", example: "\"pending_review\"")
    static let due = QueryParameter(
        "due", "year: not confirmed for a year; holiday: no hours for the next holiday",
        example: "\"holiday\"")
    static let email = QueryParameter("email", "The address of an account", example: "\"ada@town.example\"")

    static let since = QueryParameter(
        "since",
        "The position up to which the client has the changes; now for the present, left out or 0 for a snapshot",
        example: "\"1200.8f3c5a7790d1e2b4\"")
    static let bookmarks = flag("bookmarks", "Whether bookmarks are events, too, since an EventSource sees no others")
    static let topics = QueryParameter(
        "topics",
        "Only some changes: kinds (business, event, notice, category, event_type, settings) and slugs, between commas",
        example: "\"business,event\"")

    static let logPosition = QueryParameter(
        "since", "A position in the history of the town; the present one when it is left out",
        example: "\"1200.8f3c5a7790d1e2b4\"")
    static let changesSince = QueryParameter(
        "since", "A position in the history of the town; 0 for the whole town, the last 20 commits without it",
        example: "\"1200.8f3c5a7790d1e2b4\"")
    static let changesFormat = QueryParameter(
        "format", "json for objects as in the feed; otherwise words", example: "\"json\"")
    static let follow = flag("follow", "Whether to go on with later commits", example: "false")

    static let of = QueryParameter(
        "of", "Whose history: businesses, events, categories, event-types, users or settings, a slash, a slug or ID",
        example: "\"businesses/the-slack-tide-pub\"")
    static let limit = QueryParameter("limit", "The most items to return", example: "20")
    static let before = QueryParameter("before", "The member next of the response before", example: "1200")
    static let reverse = QueryParameter(
        "reverse", "The conflicts, between commas, in which the value before counts all the same",
        example: "\"business/17.phone\"")
    static let keep = QueryParameter(
        "keep", "The conflicts, between commas, in which the value of now stays", example: "\"business/17.email\"")
    static let leaveChanged = QueryParameter(
        "leave_changed", "Whether records that were changed since stay as they are: true or false; so for an import",
        example: "false")
    static let strangers = flag("strangers", "Whether to include what strangers tried", example: "false")

    static let exportFormat = QueryParameter(
        "format", "json, ndjson, csv or postgres; json when it is left out", example: "\"csv\"")
    static let table = QueryParameter("table", "Of csv: businesses or events", example: "\"events\"")
    static let schema = flag("schema", "Of postgres: whether to create the tables of the Go service")
    static let `private` = flag("private", "Of postgres: whether to include the private records")
    static let importFormat = QueryParameter(
        "format",
        "json, ndjson, csv, geojson, vcard, icalendar or postgres; when it is left out, the Content-Type says it "
            + "(text/csv, text/calendar, text/vcard, application/geo+json), or the body is a bundle of files",
        example: "\"ndjson\"")
    static let importOptions = [
        flag("create_categories", "Whether to create categories and event types that do not exist"),
        flag("starter", "Whether to add the starter set of categories and event types"),
        QueryParameter(
            "skip_invalid",
            "Whether to import what is valid, and report the other records: true or false; otherwise it is all or "
                + "nothing",
            example: "true"),
        flag("strict", "Whether to refuse a calendar of which an event cannot be read, as other files"),
        flag("delete_missing", "Whether to delete what was deleted in the database of which the data is a dump"),
        flag("settings", "Whether to replace the settings of the town by those in the data"),
        QueryParameter("category", "The category of new businesses without one, by slug or name", example: "\"shops\""),
        QueryParameter(
            "event_type", "The event type of new events without one, by slug or name", example: "\"workshop\""),
        QueryParameter(
            "time_zone", "The time zone of times without an offset; that of the town when it is left out",
            example: "\"America/Vancouver\""),
        QueryParameter(
            "center", "Where the town is, latitude,longitude, unless it has a center", example: "\"48.37,-123.73\""),
        isDryRun,
    ]
    static let isDryRun = flag("dry_run", "Whether to check only")
}
