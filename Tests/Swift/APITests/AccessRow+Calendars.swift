import SookeModel
import Store

/// Permissions for the calendars of others: the one in the table is Edda's.
extension AccessRow {
    static let calendarRows: [AccessRow] = [
        AccessRow(
            "POST /api/v1/calendars", .editors, 201,
            good: #"{"address":"https://school.example/a.ics","name":"School","event_type":"sports"}"#,
            bad: #"{"address":"ftp://school.example","name":"School","event_type":"sports"}"#,
            isDone: { $0.calendars.count == 2 }),
        AccessRow(
            "PATCH /api/v1/calendars/{id}", at: "/api/v1/calendars/1", .editors, 200, stale: 412,
            good: #"{"is_paused":true}"#, bad: #"{"trust":"blind"}"#,
            isDone: { $0.calendars[1]?.isPaused == true }),
        AccessRow(
            "DELETE /api/v1/calendars/{id}", at: "/api/v1/calendars/1", .editors, 204, stale: 412,
            isDone: { $0.calendars[1] == nil }),
        AccessRow(
            "POST /api/v1/calendars/{id}/accept", at: "/api/v1/calendars/1/accept", .editors, 200,
            isDone: { $0.calendars[1]?.acceptedAt != nil }),
        AccessRow(
            "POST /api/v1/calendars/{id}/gone", at: "/api/v1/calendars/1/gone", .editors, 200,
            isDone: { $0.calendars[1]?.gone == nil }),
        AccessRow(
            "POST /api/v1/calendars/{id}/keep", at: "/api/v1/calendars/1/keep", .editors, 200,
            isDone: { $0.calendars[1]?.goneOf == nil }),
        AccessRow("POST /api/v1/calendars/{id}/fetch", at: "/api/v1/calendars/1/fetch", .editors, 200),
        AccessRow("POST /api/v1/calendars/fetch", .editors, 202),
        AccessRow(
            "POST /api/v1/calendar-checks", .editors, 202, good: #"{"address":"webcal://school.example/a.ics"}"#,
            bad: #"{"address":"school"}"#),
        AccessRow(
            "POST /api/v1/events/{slug}/take-theirs", at: "/api/v1/events/reading/take-theirs", .editors, 200,
            stale: 412, good: #"{"field":"price"}"#, bad: #"{"field":7}"#,
            isDone: { $0.events[Slug("reading")]?.value.price == "7" }),
        AccessRow(
            "POST /api/v1/events/{slug}/tell-apart", at: "/api/v1/events/reading/tell-apart", .editors, 200,
            stale: 412, good: #"{"calendar":2}"#, bad: #"{"calendar":"2"}"#,
            isDone: { $0.events[Slug("reading")]?.value.sources.last?.part == .apart }),
    ]
}
