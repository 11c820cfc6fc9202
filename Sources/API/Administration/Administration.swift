import Bytes
import Dispatcher
import Exchange
import HTTP
import JSON
import Service
import SookeModel
import Store

/// `/api/v1/admin`: administration, for the owner of the server, through the local socket, and for super admins.
/// Editors import public data.
///
/// The API does not depend on the formats of import and export: their readers and writers are parameters.
package struct Administration: Sendable {
    package struct ImportRequest: Sendable {
        package let body: [UInt8]
        /// Nil when `mediaType` says it, and for a bundle of files.
        package let format: String?
        /// In lower case and without parameters; empty when it is not given.
        package let mediaType: String
        package let options: ImportOptions
        package let service: TownService

        init(_ call: Call) throws(HTTPError) {
            (body, service) = (call.request.body, call.service)
            format = try call.parameter("format")
            let type = call.request.headers.first("content-type")?.prefix { !"; \t".utf8.contains($0) }
            mediaType = String(decoding: (type ?? []).map(ASCII.lowercased), as: UTF8.self)
            var options = ImportOptions(zone: try Self.zone(call)) { [service] in try? service.zones.zone(named: $0) }
            options.createsTerms = try call.flag("create_categories")
            options.addsStarter = try call.flag("starter")
            options.skipsInvalid = try call.flag("skip_invalid")
            options.replacesSettings = try call.flag("settings")
            options.deletesMissing = try call.flag("delete_missing")
            options.category = try call.parameter("category")
            options.eventType = try call.parameter("event_type")
            options.center = try call.place("center")
            options.isByEditor = !call.isSuperAdmin
            if options.isByEditor, options.replacesSettings || options.center != nil { throw Self.settingsRefused }
            self.options = options
        }

        private static func zone(_ call: Call) throws(HTTPError) -> TimeZone {
            guard let name = try call.parameter("time_zone") else { return call.townZone }
            do {
                return try call.service.zones.zone(named: name)
            } catch {
                throw .invalidParameter("time_zone \(TextRules.unknownTimeZone)")
            }
        }

        private static let settingsRefused = HTTPError(
            .forbidden, code: "forbidden",
            message: "only administrators change the settings of the town, such as its center")
    }

    /// Reads the data. The result applies it and returns the report; it throws `importRefused` when the data is
    /// invalid.
    package typealias Importer =
        @Sendable (ImportRequest) throws -> @Sendable (inout WriteTransaction) throws -> [UInt8]

    package struct ExportRequest: Sendable {
        package let format: String
        /// Nil for the first.
        package let table: String?
        package let createsTables: Bool
        package let hasPrivateRecords: Bool

        init(_ call: Call) throws(HTTPError) {
            (format, table) = (try call.parameter("format") ?? "json", try call.parameter("table"))
            (createsTables, hasPrivateRecords) = (try call.flag("schema"), try call.flag("private"))
            if format != "postgres", createsTables || hasPrivateRecords {
                throw .invalidParameter("schema and private are for the format postgres only")
            }
        }

        var fileName: String {
            switch format {
            case "csv": "\(table ?? "businesses").csv"
            case "postgres": "sooke.sql"
            default: "sooke.\(format)"
            }
        }
    }

    /// Nil when there is no such format or table.
    package typealias Exporter =
        @Sendable (_ version: Version, _ request: ExportRequest) -> (type: String, write: BodyStream.Writer)?

    private let importer: Importer
    private let exporter: Exporter
    let facts: @Sendable () -> ProcessFacts

    package init(
        importer: @escaping Importer, exporter: @escaping Exporter, facts: @escaping @Sendable () -> ProcessFacts
    ) {
        (self.importer, self.exporter, self.facts) = (importer, exporter, facts)
    }

    package static let importLimit = 1 << 30

    func add(to routes: inout RouteList) {
        let (importer, exporter, facts) = (importer, exporter, facts)
        routes.add(
            .get, "/api/v1/admin/status", "Shows the status of the server", .superAdmin,
            gives: .one(StatusReport.body.schema), query: [.logPosition],
            .async { call in
                let backup = try call.parameter("since").flatMap { HistoryPosition($0) }
                return .plainJSON(StatusReport.body.json(await StatusReport(call, facts(), since: backup)))
            })
        routes.add(
            .get, "/api/v1/admin/export", "Exports the town in a format", .superAdmin, gives: .file,
            query: [.exportFormat, .table, .schema, .private], audit: .export,
            .async { call in
                let request = try ExportRequest(call)
                guard let (type, write) = exporter(call.version, request) else {
                    throw HTTPError.invalidParameter("there is no export format or table of that name")
                }
                return .file(type, name: request.fileName, write)
            })
        routes.add(
            .get, "/api/v1/admin/backup", "Backs up the whole town in one file", .superAdmin, gives: .file,
            audit: .backup,
            .async { call in
                let (store, version) = (call.service.store, call.version)
                return .file("application/json", name: "sooke-\(version.sequence).backup.json") {
                    output throws(BodyStream.Closed) in try store.writeBackup(of: version, to: output)
                }
            })
        routes.add(
            .post, "/api/v1/admin/snapshot", "Writes a snapshot now", .superAdmin,
            gives: .one(SnapshotSummary.body.schema), changesNothing: { _ in true },
            .async { call in
                let summary = try await call.service.takeSnapshot(for: call.context(hasKey: false))
                return .plainJSON(SnapshotSummary.body.json(summary))
            })
        routes.add(
            .post, "/api/v1/admin/import", "Imports data, all of it or nothing", .editor, takes: .file,
            gives: .one(.report), query: [.importFormat] + QueryParameter.importOptions,
            changesNothing: { call in (try? call.flag("dry_run")) ?? false },
            .async { call in
                let isDryRun = try call.flag("dry_run")
                defer { call.service.importProgress.clear() }
                let bringIn = try importer(ImportRequest(call))
                let context = try call.context(hasKey: false)
                return .plainJSON(
                    try await call.service.importData(isDryRun: isDryRun, for: context) { transaction in
                        try bringIn(&transaction)
                    })
            })
        routes.add(
            .get, "/api/v1/admin/import", "Shows how far the import that runs has come", .editor,
            gives: .one(ImportProgress.body.schema),
            .read { call in
                .plainJSON(ImportProgress.body.json(call.service.importProgress.state))
            })
    }
}

extension Response {
    fileprivate static func file(_ type: String, name: String, _ write: @escaping BodyStream.Writer) -> Response {
        var headers: ResponseHeaders = ["Cache-Control": "no-store"]
        headers.add("Content-Type", type)
        headers.add("Content-Disposition", "attachment; filename=\"\(name)\"")
        return Response(headers: headers, stream: .written(by: write))
    }
}

extension Schema {
    /// It is not described by fields.
    static let report = Schema("report")
}

extension SnapshotSummary {
    static let body = Body<SnapshotSummary>(
        "snapshot",
        Member("sequence", "The sequence number of the last commit in it") { $0.sequence },
        Member("bytes", "How long it is") { $0.bytes })
}

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
        Member("reason", "Why, for people; null for none. Without it the reason before stays", use: .both) {
            $0.state?.reason
        },
        Member(
            "position", "The position of the last commit. Every acknowledged change is in it, and it stays the same"
        ) { "\($0.version.position)" })
}
