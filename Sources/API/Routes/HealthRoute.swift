import HTTP
import JSON
import Store

/// `/health`: whether the town can be read and written.
enum HealthRoute {
    static func add(to routes: inout RouterBuilder<Handler>) {
        routes.get("/api/v1/health", health)
    }

    /// The words are those of the Go service: the log has taken the place of its database.
    private static func health(_ call: Call) -> Response {
        let isWritable = call.town.store.problem == nil
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("status", isWritable ? "ok" : "degraded")
        writer.member("db_status", isWritable ? "connected" : "disconnected")
        writer.endObject()
        return .json(call, writer.bytes, status: isWritable ? .ok : .serviceUnavailable)
    }
}
