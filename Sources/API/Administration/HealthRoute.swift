import Bytes
import Dispatcher
import HTTP
import Service
import Store

/// `/health`, `/live` and `/ready`: whether the town can be read and written.
enum HealthRoute {
    static func add(to routes: inout RouteList) {
        let summary = "Shows whether the town can be read and written"
        routes.add(.get, "/api/v1/health", summary, gives: .one(body.schema), hasPriority: true, .read(health))
        routes.add(.get, "/ready", summary, gives: .one(body.schema), hasPriority: true, .read(health))
        routes.add(
            .get, "/live", "Shows that the server runs", gives: .one(body.schema), hasPriority: true,
            .read { _ in
                .json(Array(#"{"status":"ok"}"#.utf8))
            })
    }

    private static func health(_ call: Call) -> Response {
        let health = Health(problems: call.service.store.problems, isReadOnly: call.service.store.readOnly != nil)
        return .json(body.json(health), status: health.problems.writes == nil ? .ok : .serviceUnavailable)
    }

    struct Health {
        let problems: StoreProblems
        let isReadOnly: Bool
    }

    /// The words are those of the Go service, with the log in the place of its database.
    ///
    /// Problems that prevent neither reads nor writes do not change them, but add members. A town that is read-only is
    /// meant to be so, and its reads must go on: it is in good health.
    static let body = Body<Health>(
        "health",
        Member("status", "Whether the town can be read and written", kind: .choice(["ok", "degraded"])) {
            $0.problems.writes == nil ? "ok" : "degraded"
        },
        Member("db_status", "Whether it can be written", kind: .choice(["connected", "disconnected"])) {
            $0.problems.writes == nil ? "connected" : "disconnected"
        },
        Member("snapshot", trouble, "Only while no snapshot can be written", isLeftOut: true) {
            $0.problems.snapshots.map { ("failed", $0.since) }
        },
        Member("storage", trouble, "Only while a file is damaged", isLeftOut: true) {
            $0.problems.files.map { ("damaged", $0.since) }
        },
        Member("read_only", "Only while the town is read-only; true then", isLeftOut: true) {
            $0.isReadOnly ? true : nil
        })

    static let trouble = Body<(status: String, since: Timestamp)>(
        "trouble",
        Member("status", "What is wrong", kind: .choice(["failed", "damaged"])) { $0.status },
        Member("since", "When it was first noticed") { $0.since })
}
