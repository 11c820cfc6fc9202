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
        // Asked by:  nobody, mia, olga, otto, edda, ada, folder
        AccessRow(
            "POST /api/v1/proposals/{id}/accept", "/api/v1/proposals/1/accept", good: versionOfProposal,
            passes: [401, 403, 200, 404, 404, 200, 200], fails: [401, 403, 422, 404, 404, 422, 422],
            stale: [401, 403, 412, 404, 404, 412, 412],
            isDone: { $0.proposals[1]?.state == .accepted }),
        AccessRow(
            "POST /api/v1/proposals/{id}/reject", "/api/v1/proposals/1/reject",
            good: #"{"reason":"We are closed"}"#, bad: #"{"reason":" "}"#,
            passes: [401, 403, 200, 404, 404, 200, 200], fails: [401, 403, 422, 404, 404, 422, 422],
            stale: [401, 403, 412, 404, 404, 412, 412],
            isDone: { $0.proposals[1]?.reason == "We are closed" }),
    ]

    static let eventRows: [AccessRow] = [
        // Asked by:  nobody, mia, olga, otto, edda, ada, folder
        AccessRow(
            "POST /api/v1/events",
            good: #"{"name":"Fair","event_type":"sports","business":"zeds","starts_at":"2035-07-01T10:00:00-07:00"}"#,
            bad: #"{"name":"Fair","event_type":"sports","starts_at":"tomorrow"}"#,
            passes: [401, 201, 201, 201, 201, 201, 201], fails: [401, 422, 422, 422, 422, 422, 422],
            isDone: { $0.events.inOrderOfID.contains { $0.value.name == "Fair" } }),
        // Waits for a decision, so it is hidden from unrelated callers.
        AccessRow(
            "PATCH /api/v1/events/{slug}", "/api/v1/events/quiz",
            good: #"{"description":"Bring a pen"}"#, bad: #"{"status":"approved"}"#,
            passes: [401, 200, 200, 404, 200, 200, 200], fails: [401, 422, 422, 404, 422, 422, 422],
            stale: [401, 412, 412, 404, 412, 412, 412],
            isDone: { $0.events[Slug("quiz")]?.value.description == "Bring a pen" }),
        // Public, so she may no longer change it.
        AccessRow(
            "PATCH /api/v1/events/{slug}", "/api/v1/events/gig",
            good: #"{"description":"Bring a coat"}"#, bad: #"{"submitted_by":2}"#,
            passes: [401, 403, 200, 403, 200, 200, 200], fails: [401, 403, 422, 403, 422, 422, 422],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.events[Slug("gig")]?.value.description == "Bring a coat" }),
        AccessRow(
            "DELETE /api/v1/events/{slug}", "/api/v1/events/quiz",
            passes: [401, 204, 204, 404, 204, 204, 204], fails: [401, 204, 204, 404, 204, 204, 204],
            stale: [401, 412, 412, 404, 412, 412, 412],
            isDone: { $0.events[Slug("quiz")] == nil }),
        AccessRow(
            "DELETE /api/v1/events/{slug}", "/api/v1/events/gig",
            passes: [401, 403, 204, 403, 204, 204, 204], fails: [401, 403, 204, 403, 204, 204, 204],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.events[Slug("gig")] == nil }),
        AccessRow(
            "POST /api/v1/events/{slug}/approve", "/api/v1/events/quiz/approve", good: versionOfQuiz,
            passes: [401, 403, 200, 404, 200, 200, 200], fails: [401, 403, 422, 404, 422, 422, 422],
            stale: [401, 403, 412, 404, 412, 412, 412],
            isDone: { $0.events[Slug("quiz")]?.value.status == .approved }),
        AccessRow(
            "POST /api/v1/events/{slug}/reject", "/api/v1/events/quiz/reject",
            good: #"{"reason":"We are closed"}"#, bad: #"{"reason":" "}"#,
            passes: [401, 403, 200, 404, 200, 200, 200], fails: [401, 403, 422, 404, 422, 422, 422],
            stale: [401, 403, 412, 404, 412, 412, 412],
            isDone: { $0.events[Slug("quiz")]?.value.reason == "We are closed" }),
        AccessRow(
            "POST /api/v1/events/{slug}/cancel", "/api/v1/events/gig/cancel",
            passes: [401, 403, 200, 403, 200, 200, 200], fails: [401, 403, 200, 403, 200, 200, 200],
            stale: [401, 403, 412, 403, 412, 412, 412],
            isDone: { $0.events[Slug("gig")]?.value.status == .cancelled }),
        AccessRow(
            "POST /api/v1/events/{slug}/resubmit", "/api/v1/events/walk/resubmit",
            passes: [401, 200, 200, 404, 200, 200, 200], fails: [401, 200, 200, 404, 200, 200, 200],
            stale: [401, 412, 412, 404, 412, 412, 412],
            isDone: { $0.events[Slug("walk")]?.value.status == .pendingReview }),
    ]
}
