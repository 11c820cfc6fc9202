import Bytes
import Dispatcher
import HTTP
import JSON
import Store

/// `/health`, `/live` and `/ready`: whether the town can be read and written.
enum HealthRoute {
    static func add(to routes: inout RouteList) {
        let summary = "Shows whether the town can be read and written"
        routes.get("/api/v1/health", .read(summary, gives: .one(.health), health).withPriority())
        routes.get("/ready", .read(summary, gives: .one(.health), health).withPriority())
        routes.get(
            "/live",
            .read("Shows that the server runs", gives: .one(.health)) { _ in
                .json(Array(#"{"status":"ok"}"#.utf8))
            }.withPriority())
    }

    /// The words are those of the Go service, with the log in the place of its database.
    ///
    /// Problems that prevent neither reads nor writes do not change them, but add the members `snapshot` and `storage`.
    /// They contain no file names, which only the owner's status has. A town that is read-only is meant to be so, and its
    /// reads must go on: it is in good health, with the member `read_only`.
    private static func health(_ call: Call) -> Response {
        let problems = call.service.store.problems
        let isWritable = problems.writes == nil
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("status", isWritable ? "ok" : "degraded")
        writer.member("db_status", isWritable ? "connected" : "disconnected")
        if let trouble = problems.snapshots { writer.trouble("snapshot", "failed", since: trouble.since) }
        if let trouble = problems.files { writer.trouble("storage", "damaged", since: trouble.since) }
        if call.service.store.readOnly != nil { writer.member("read_only", true) }
        writer.endObject()
        return .json(writer.bytes, status: isWritable ? .ok : .serviceUnavailable)
    }
}

extension JSONWriter {
    fileprivate mutating func trouble(_ name: StaticString, _ status: String, since: Timestamp) {
        key(name)
        beginObject()
        member("status", status)
        member("since", since.rfc3339)
        endObject()
    }
}
