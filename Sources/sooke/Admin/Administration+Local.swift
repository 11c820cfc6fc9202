import API
import Bytes
import Exchange
import HTTP
import JSON
import Platform
import Service
import Store

/// The administration routes on the store of this process.
extension Administration {
    /// - Parameter watch: the import of a command in this process.
    static func local(
        _ store: Store, _ process: ServingProcess, _ watch: ImportWatch? = nil
    ) -> Administration {
        Administration(
            importer: { request in try importer(request, watch) },
            exporter: { version, request in export(version, of: store, request) },
            facts: { process.facts })
    }

    private static func importer(
        _ request: ImportRequest, _ watch: ImportWatch?
    ) throws -> @Sendable (inout WriteTransaction) throws -> [UInt8] {
        let service = request.service
        let zone = request.options.zone.name
        let update = { @Sendable (phase: String, done: Int, total: Int) in
            service.importProgress.update(phase, done: done, of: total)
            watch?.update(phase, done: done, of: total)
        }
        let records = Import(files: try files(request), options: request.options) { update($0.rawValue, $1, $2) }
        return { transaction in
            do {
                let report = try records.apply(to: &transaction) { update($0.rawValue, $1, $2) }
                try watch?.fillClocks(&transaction, likely: zone)
                update(ImportWatch.writing, report.changed, report.changed)
                return json(report.write(to:))
            } catch let problems as ImportProblems {
                throw ServiceError.importRefused(message: problems.summary, problems: json(problems.write(to:)))
            }
        }
    }

    private static func files(_ request: ImportRequest) throws(HTTPError) -> [ImportFile] {
        var format = ImportFormat(mediaType: request.mediaType)
        if let name = request.format {
            format = ImportFormat(named: name)
            if format == nil { throw .invalidParameter("there is no import format \"\(name.excerpt())\"") }
        }
        if let format { return [ImportFile(name: "body", format: format, bytes: request.body)] }
        do throws(FileBundleError) {
            return try FileBundle.files(in: request.body)
        } catch {
            throw .invalidParameter(
                "the body is not a valid upload: \(error); for one file, give its format or its Content-Type")
        }
    }

    private static func export(
        _ version: Version, of store: Store, _ request: ExportRequest
    ) -> (type: String, write: BodyStream.Writer)? {
        guard let format = ExportFormat(named: request.format),
            let table = request.table.map(Export.Table.init(named:)) ?? .businesses
        else { return nil }
        var postgres = PostgresOptions()
        (postgres.createsTables, postgres.hasPrivateRecords) = (request.createsTables, request.hasPrivateRecords)
        postgres.origin = PostgresOptions.Origin(store: store.identity, version)
        let export = Export(version.town, postgres: postgres)
        return (
            format.contentType,
            { output throws(BodyStream.Closed) in try export.write(format, table: table, to: output) }
        )
    }

    private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return writer.bytes
    }
}

extension ExportFormat {
    var contentType: String {
        switch self {
        case .json: "application/json"
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv; charset=utf-8"
        case .postgres: "application/sql"
        }
    }
}

/// The identity of the folder at a path, whatever its name: its device and inode. See `AllowedHosts`.
struct FolderIdentity: Sendable, Equatable, CustomStringConvertible {
    /// `DEVICE:INODE` in decimal digits.
    let description: String

    init(_ path: String) throws(SystemError) {
        let identity = try FileDescriptor.workingFolder.status(of: path).identity
        description = "\(identity.device):\(identity.number)"
    }
}
