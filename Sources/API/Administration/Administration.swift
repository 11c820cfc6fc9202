import Bytes
import Dispatcher
import Exchange
import HTTP
import JSON
import Service
import SookeModel
import Store

/// Watches the import of a command in this process.
package protocol ImportObserver: Sendable {
    /// - Parameter phase: see `Import.Phase`.
    func update(_ phase: String, done: Int, of total: Int)

    /// Gives a town without clocks its first ones, once the records are there.
    func fillClocks(_ transaction: inout WriteTransaction, likely zone: String) throws
}

/// `/api/v1/admin`: administration, for the owner of the server, through the local socket, and for super admins.
/// Editors import public data.
package struct Administration: Sendable {
    private let observer: (any ImportObserver)?
    let facts: @Sendable () -> ProcessFacts

    package init(observer: (any ImportObserver)? = nil, facts: @escaping @Sendable () -> ProcessFacts) {
        (self.observer, self.facts) = (observer, facts)
    }

    package static let importLimit = 1 << 30
    /// In messages, a file that was sent without a name.
    private static let unnamed = "body"

    func add(to routes: inout RouteList) {
        let (observer, facts) = (observer, facts)
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
            .async(Self.export))
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
            .post, "/api/v1/admin/import", "Imports data: all of it or nothing, but what can be read of calendars",
            .editor, takes: .file, gives: .one(.report), query: [.importFormat] + QueryParameter.importOptions,
            changesNothing: { call in (try? call.flag("dry_run")) ?? false },
            .async { call in
                let isDryRun = try call.flag("dry_run")
                defer { call.service.importProgress.clear() }
                let files = try Self.files(of: call)
                let importer = try Self.importer(files, call, observer)
                let names = files.map(\.name).filter { $0 != Self.unnamed }
                let context = try call.context(hasKey: false)
                return .plainJSON(
                    try await call.service.importData(isDryRun: isDryRun, of: names, for: context, importer))
            })
        routes.add(
            .get, "/api/v1/admin/import", "Shows how far the import that runs has come", .editor,
            gives: .one(ImportProgress.body.schema),
            .read { call in
                .plainJSON(ImportProgress.body.json(call.service.importProgress.state))
            })
    }
}

extension Administration {
    /// Reads the files of a request; the result applies them, and returns the report.
    ///
    /// - Throws: also when it is called: `importRefused`.
    private static func importer(
        _ files: [ImportFile], _ call: Call, _ observer: (any ImportObserver)?
    ) throws -> @Sendable (inout WriteTransaction) throws -> [UInt8] {
        let (service, options) = (call.service, try ImportOptions(call))
        let update = { @Sendable (phase: Import.Phase, done: Int, total: Int) in
            service.importProgress.update(phase.rawValue, done: done, of: total)
            observer?.update(phase.rawValue, done: done, of: total)
        }
        let records = Import(files: files, options: options, progress: update)
        return { transaction in
            do {
                let report = try records.apply(to: &transaction, progress: update)
                try observer?.fillClocks(&transaction, likely: options.zone.name)
                update(.writing, report.changed, report.changed)
                return json(report.write(to:))
            } catch let problems as ImportProblems {
                throw ServiceError.importRefused(message: problems.summary, problems: json(problems.write(to:)))
            }
        }
    }

    /// One file whose format is given, or a bundle of files.
    private static func files(of call: Call) throws(HTTPError) -> [ImportFile] {
        let type = call.request.headers.first("content-type")?.prefix { !"; \t".utf8.contains($0) } ?? []
        var format = ImportFormat(mediaType: String(decoding: type.map(ASCII.lowercased), as: UTF8.self))
        if let name = try call.parameter("format") {
            format = ImportFormat(named: name)
            if format == nil { throw .invalidParameter("there is no import format \"\(name.excerpt())\"") }
        }
        let body = call.request.body
        if let format { return [ImportFile(name: unnamed, format: format, bytes: body)] }
        do throws(FileBundleError) {
            return try FileBundle.files(in: body)
        } catch {
            throw .invalidParameter(
                "the body is not a valid upload: \(error); for one file, give its format or its Content-Type")
        }
    }

    private static func export(_ call: Call) throws(HTTPError) -> Response {
        let (name, tableName) = (try call.parameter("format") ?? "json", try call.parameter("table"))
        var postgres = PostgresOptions()
        (postgres.createsTables, postgres.hasPrivateRecords) = (try call.flag("schema"), try call.flag("private"))
        if name != "postgres", postgres.createsTables || postgres.hasPrivateRecords {
            throw .invalidParameter("schema and private are for the format postgres only")
        }
        guard let format = ExportFormat(named: name),
            let table = tableName.map(Export.Table.init(named:)) ?? .businesses
        else { throw .invalidParameter("there is no export format or table of that name") }
        let version = call.version
        postgres.origin = PostgresOptions.Origin(store: call.service.store.identity, version)
        let export = Export(version.town, postgres: postgres)
        let (type, file) =
            switch format {
            case .json: ("application/json", "sooke.json")
            case .ndjson: ("application/x-ndjson", "sooke.ndjson")
            case .csv: ("text/csv; charset=utf-8", "\(table.rawValue).csv")
            case .postgres: ("application/sql", "sooke.sql")
            }
        return .file(type, name: file) { output throws(BodyStream.Closed) in
            try export.write(format, table: table, to: output)
        }
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return writer.bytes
    }
}

extension ImportOptions {
    fileprivate init(_ call: Call) throws(HTTPError) {
        let zones = call.service.zones
        var zone = call.townZone
        if let name = try call.parameter("time_zone") {
            guard let found = try? zones.zone(named: name) else {
                throw .invalidParameter("time_zone \(TextRules.unknownTimeZone)")
            }
            zone = found
        }
        self.init(zone: zone) { try? zones.zone(named: $0) }
        createsTerms = try call.flag("create_categories")
        addsStarter = try call.flag("starter")
        skipsInvalid = try call.flag("skip_invalid")
        isStrict = try call.flag("strict")
        replacesSettings = try call.flag("settings")
        deletesMissing = try call.flag("delete_missing")
        category = try call.parameter("category")
        eventType = try call.parameter("event_type")
        center = try call.place("center")
        isByEditor = !call.isSuperAdmin
        if isByEditor, replacesSettings || center != nil {
            throw HTTPError(
                .forbidden, code: "forbidden",
                message: "only administrators change the settings of the town, such as its center")
        }
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
        Member("reason", "The reason that is shown; null for none. Without it the reason before stays", use: .both) {
            $0.state?.reason
        },
        Member(
            "position", "The position of the last commit. Every acknowledged change is in it, and it stays the same"
        ) { "\($0.version.position)" })
}
