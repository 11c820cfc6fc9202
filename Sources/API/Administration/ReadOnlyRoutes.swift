import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// `/api/v1/admin/read-only`: a town that makes no changes, so that another database or machine can take over.
enum ReadOnlyRoutes {
    static func add(to routes: inout RouteList) {
        let path = "/api/v1/admin/read-only"
        routes.add(
            .get, path, "Shows whether the town is read-only", .superAdmin, gives: .one(ReadOnlyReport.body.schema),
            .read { call in
                let store = call.service.store
                return .plainJSON(ReadOnlyReport.body.json((store.readOnly, store.current)))
            })
        routes.add(
            .put, path, "Makes the town read-only when all changes under way are stored, or ends that", .superAdmin,
            takes: .one(ReadOnlyReport.body.schema), gives: .one(ReadOnlyReport.body.schema), audit: .readOnly,
            changesNothing: { _ in true }, .async(set))
    }

    private static func set(_ call: Call) async throws -> Response {
        let given = try call.validFields(ReadOnlyReport.body.schema)
        let version = try await call.service.setReadOnly(
            given.isSet("read_only"), reason: given["reason"], for: call.context(hasKey: false))
        return .plainJSON(ReadOnlyReport.body.json((call.service.store.readOnly, version)))
    }
}

enum ReadOnlyReport {
    static let body = Body<(state: ReadOnlyState?, version: Version)>(
        "read_only",
        Member("read_only", "Whether the town makes no changes", use: .both, required: true) { $0.state != nil },
        Member("since", "Since when; null when it makes changes") { $0.state?.since },
        Member("reason", "The reason that is shown; null for none. Without it the reason before stays", use: .both) {
            $0.state?.reason
        },
        Member(
            "position", "The position of the last commit. Every acknowledged change is in it, and it stays the same"
        ) { "\($0.version.position)" })
}
