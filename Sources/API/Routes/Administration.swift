import Bytes
import HTTP
import JSON
import Store

/// `/api/v1/admin`: what only the owner of the server may do. It is served on the local socket alone.
///
/// Formats of import and export are not the API's business, so what reads and writes them is handed in.
public struct Administration: Sendable {
    /// Brings data in: takes the body and the format it says it has (nil for a bundle of files).
    ///
    /// The result is the report, and whether the data was taken; when not, the report says what is wrong with it.
    public typealias Importer =
        @Sendable (_ body: [UInt8], _ format: String?, _ isDryRun: Bool, _ author: Author) async throws -> (
            taken: Bool, report: [UInt8]
        )

    /// Writes a version of the town, or one table of it, out in a format; nil when there is no such format or table.
    public typealias Exporter =
        @Sendable (_ version: Version, _ format: String, _ table: String?) -> (type: String, body: [UInt8])?

    private let importer: Importer
    private let exporter: Exporter
    private let status: @Sendable () async -> [UInt8]
    let facts: (@Sendable () -> ProcessFacts)?

    /// The administration routes.
    ///
    /// - Parameters:
    ///   - status: a JSON object on how the server is doing.
    ///   - facts: what the process knows of itself; nil leaves that out of the metrics.
    public init(
        importer: @escaping Importer, exporter: @escaping Exporter, status: @escaping @Sendable () async -> [UInt8],
        facts: (@Sendable () -> ProcessFacts)? = nil
    ) {
        self.facts = facts
        self.importer = importer
        self.exporter = exporter
        self.status = status
    }

    /// How long the body of an import may be, in bytes.
    public static let importLimit = 1 << 30

    func add(to routes: inout RouterBuilder<Route>) {
        let (importer, exporter, status) = (importer, exporter, status)
        routes.get(
            "/api/v1/admin/status",
            .write("Tells how the server is doing", .superAdmin, gives: .one(.status)) { call in
                .plainJSON(await status())
            })
        // Not on an event loop: a large town takes a while to write out.
        routes.get(
            "/api/v1/admin/export",
            .write("Writes the town out in a format", .superAdmin, gives: .file) { call in
                let format = try call.parameter("format") ?? "json"
                guard let (type, body) = exporter(call.version, format, try call.parameter("table")) else {
                    throw HTTPError.invalidParameter("there is no export format or table of that name")
                }
                var headers = ResponseHeaders()
                headers.add("Content-Type", type)
                return Response(headers: headers, body: body)
            })
        routes.get(
            "/api/v1/admin/backup",
            .write("Writes the whole town into one file, to be restored", .superAdmin, gives: .file) { call in
                var body: [UInt8] = []
                call.town.store.writeBackup(of: call.version) { body.append(contentsOf: $0) }
                return .plainJSON(body)
            })
        routes.post(
            "/api/v1/admin/snapshot",
            .write("Writes a snapshot now", .superAdmin, gives: .one(.snapshot)) { call in
                .plainJSON(try await call.town.store.snapshot().json)
            })
        routes.post(
            "/api/v1/admin/import",
            .write("Brings data in, all of it or nothing", .superAdmin, takes: .file, gives: .one(.report)) { call in
                let isDryRun = try call.flag("dry_run")
                let (taken, report) = try await importer(
                    call.request.body, try call.parameter("format"), isDryRun, call.caller.author)
                return .plainJSON(report, status: taken ? .ok : .unprocessableContent)
            })
    }
}
