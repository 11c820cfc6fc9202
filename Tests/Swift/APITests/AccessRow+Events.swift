import SookeModel
import Store

/// Permissions to submit, change and decide on events. Mia submitted the events of the rows, Olga owns their business.
extension AccessRow {
    /// A body with the version of `quiz`.
    static let versionOfQuiz = "the version of quiz"

    /// A body with the version of the proposal 1.
    static let versionOfProposal = "the version of the proposal"

    /// Mia sent the proposal, of an event at Olga's business, who decides first.
    static let proposalRows: [AccessRow] = [
        AccessRow(
            "POST /api/v1/proposals/{id}/accept", at: "/api/v1/proposals/1/accept", .ownersFirst, 200, stale: 412,
            good: versionOfProposal, bad: nonsense, isDone: { $0.proposals[1]?.state == .accepted }),
        AccessRow(
            "POST /api/v1/proposals/{id}/reject", at: "/api/v1/proposals/1/reject", .ownersFirst, 200, stale: 412,
            good: #"{"reason":"We are closed"}"#, bad: #"{"reason":" "}"#,
            isDone: { $0.proposals[1]?.reason == "We are closed" }),
    ]

    static let eventRows: [AccessRow] = [
        AccessRow(
            "POST /api/v1/events", .members, 201,
            good: #"{"name":"Fair","event_type":"sports","business":"zeds","starts_at":"2035-07-01T10:00:00-07:00"}"#,
            bad: #"{"name":"Fair","event_type":"sports","starts_at":"tomorrow"}"#,
            isDone: { $0.events.inOrderOfID.contains { $0.value.name == "Fair" } }),
        // Waits for a decision, so it is hidden from unrelated callers.
        AccessRow(
            "PATCH /api/v1/events/{slug}", at: "/api/v1/events/quiz", .submitters, 200, stale: 412,
            good: #"{"description":"Bring a pen"}"#, bad: #"{"status":"approved"}"#,
            isDone: { $0.events[Slug("quiz")]?.value.description == "Bring a pen" }),
        // Public, so she may no longer change it.
        AccessRow(
            "PATCH /api/v1/events/{slug}", at: "/api/v1/events/gig", .managers, 200, stale: 412,
            good: #"{"description":"Bring a coat"}"#, bad: #"{"submitted_by":2}"#,
            isDone: { $0.events[Slug("gig")]?.value.description == "Bring a coat" }),
        AccessRow(
            "DELETE /api/v1/events/{slug}", at: "/api/v1/events/quiz", .submitters, 204, stale: 412,
            isDone: { $0.events[Slug("quiz")] == nil }),
        AccessRow(
            "DELETE /api/v1/events/{slug}", at: "/api/v1/events/gig", .managers, 204, stale: 412,
            isDone: { $0.events[Slug("gig")] == nil }),
        AccessRow(
            "POST /api/v1/events/{slug}/approve", at: "/api/v1/events/quiz/approve", .deciders, 200, stale: 412,
            good: versionOfQuiz, bad: nonsense, isDone: { $0.events[Slug("quiz")]?.value.status == .approved }),
        AccessRow(
            "POST /api/v1/events/{slug}/reject", at: "/api/v1/events/quiz/reject", .deciders, 200, stale: 412,
            good: #"{"reason":"We are closed"}"#, bad: #"{"reason":" "}"#,
            isDone: { $0.events[Slug("quiz")]?.value.reason == "We are closed" }),
        AccessRow(
            "POST /api/v1/events/{slug}/cancel", at: "/api/v1/events/gig/cancel", .managers, 200, stale: 412,
            isDone: { $0.events[Slug("gig")]?.value.status == .cancelled }),
        AccessRow(
            "POST /api/v1/events/{slug}/resubmit", at: "/api/v1/events/walk/resubmit", .submitters, 200, stale: 412,
            isDone: { $0.events[Slug("walk")]?.value.status == .pendingReview }),
    ]
}
