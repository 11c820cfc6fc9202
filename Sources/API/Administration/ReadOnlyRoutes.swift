import Dispatcher
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/api/v1/admin/read-only`: a town that makes no changes, so that another database or machine can take over.
enum ReadOnlyRoutes {
    static func add(to routes: inout RouteList) {
        let path = "/api/v1/admin/read-only"
        routes.get(
            path,
            .read("Shows whether the town is read-only", .superAdmin, gives: .one(.readOnly)) { call in
                let store = call.service.store
                return .readOnly(store.readOnly, in: store.current)
            })
        routes.put(
            path,
            .async(
                "Makes the town read-only when all changes under way are stored, or ends that", .superAdmin,
                takes: .one(.readOnly), gives: .one(.readOnly), set
            ).audited(as: .readOnly).changingNothing())
    }

    private static func set(_ call: Call) async throws -> Response {
        let given = try call.validFields(.readOnly)
        let version = try await call.service.setReadOnly(
            given.isSet("read_only"), reason: given["reason"], for: call.context(hasKey: false))
        return .readOnly(call.service.store.readOnly, in: version)
    }
}

extension Response {
    fileprivate static func readOnly(_ state: ReadOnlyState?, in version: Version) -> Response {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("read_only", state != nil)
        writer.member("since", state?.since?.rfc3339)
        writer.member("reason", state?.reason)
        writer.member("position", "\(version.position)")
        writer.endObject()
        return .plainJSON(writer.bytes)
    }
}
