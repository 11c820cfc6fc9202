import Bytes
import HTTP
import JSON
import Service
import Store

/// `/api/v1/admin`: what only the owner of the server may do, through the local socket, and a `super_admin`.
///
/// Formats of import and export are not the API's business, so what reads and writes them is handed in.
public struct Administration: Sendable {
    /// Reads data that is to be brought in: the body, and the format it says it has (nil for a bundle of files).
    ///
    /// The result puts it into the town and gives the report; it throws `RefusedImport` when something is wrong with
    /// the data.
    public typealias Importer =
        @Sendable (_ body: [UInt8], _ format: String?) throws -> @Sendable (inout WriteTransaction) throws -> [UInt8]

    /// An import of which nothing is taken.
    public struct RefusedImport: Error {
        /// What is wrong with it, an array in JSON.
        let report: [UInt8]

        /// Refuses an import with a report.
        public init(report: [UInt8]) {
            self.report = report
        }
    }

    /// The media type of an export of a version of the town, or of one table of it, and what writes it; nil when there
    /// is no such format or table.
    public typealias Exporter =
        @Sendable (_ version: Version, _ format: String, _ table: String?) -> (type: String, write: BodyStream.Writer)?

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
            .async("Tells how the server is doing", .superAdmin, gives: .one(.status)) { call in
                .plainJSON(await status())
            })
        routes.get(
            "/api/v1/admin/export",
            .async("Writes the town out in a format", .superAdmin, gives: .file) { call in
                let format = try call.parameter("format") ?? "json"
                guard let (type, write) = exporter(call.version, format, try call.parameter("table")) else {
                    throw HTTPError.invalidParameter("there is no export format or table of that name")
                }
                let name = format == "csv" ? try call.parameter("table") ?? "businesses" : "sooke"
                return .file(type, name: "\(name).\(format)", write)
            }.audited(as: .export).with(.exportFormat, .table))
        routes.get(
            "/api/v1/admin/backup",
            .async("Writes the whole town into one file, to be restored", .superAdmin, gives: .file) { call in
                let (store, version) = (call.town.store, call.version)
                return .file("application/json", name: "sooke-\(version.sequence).backup.json") {
                    output throws(BodyStream.Closed) in try store.writeBackup(of: version, to: output)
                }
            }.audited(as: .backup))
        routes.post(
            "/api/v1/admin/snapshot",
            .async("Writes a snapshot now", .superAdmin, gives: .one(.snapshot)) { call in
                .plainJSON(try await call.town.takeSnapshot(for: call.context(hasKey: false)).json)
            })
        routes.post(
            "/api/v1/admin/import",
            .async("Brings data in, all of it or nothing", .superAdmin, takes: .file, gives: .one(.report)) { call in
                let isDryRun = try call.flag("dry_run")
                let bringIn = try importer(call.request.body, try call.parameter("format"))
                let context = try call.context(hasKey: false)
                let report = try await call.town.importData(isDryRun: isDryRun, for: context) { transaction in
                    do {
                        return try bringIn(&transaction)
                    } catch let refused as RefusedImport {
                        throw ServiceError.importRefused(report: refused.report)
                    }
                }
                return .plainJSON(report)
            }.with(.importFormat, .isDryRun))
    }
}

extension Response {
    /// A file to be saved under a name, which is one for this server alone to choose.
    fileprivate static func file(_ type: String, name: String, _ write: @escaping BodyStream.Writer) -> Response {
        var headers: ResponseHeaders = ["Cache-Control": "no-store"]
        headers.add("Content-Type", type)
        headers.add("Content-Disposition", "attachment; filename=\"\(name)\"")
        return Response(headers: headers, stream: .written(by: write))
    }
}
