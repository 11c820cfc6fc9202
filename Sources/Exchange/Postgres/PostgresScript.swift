import Bytes
import SookeModel
import Store

package struct PostgresOptions: Sendable {
    package struct Origin: Sendable {
        let store: String
        let position: HistoryPosition
        let at: Timestamp

        package init(store: String, _ version: Version) {
            (self.store, position, at) = (store, version.position, version.time.at)
        }
    }

    package var createsTables = false
    package var hasPrivateRecords = false
    package var origin: Origin?

    package init() {}
}

struct PostgresScript {
    private let town: Town
    private let options: PostgresOptions
    private let projection: PostgresProjection
    private let pieceSize: Int
    private var bytes: [UInt8] = []

    init(_ town: Town, _ options: PostgresOptions, pieceSize: Int) {
        (self.town, self.options, self.pieceSize) = (town, options, pieceSize)
        projection = PostgresProjection(town)
    }

    mutating func write<Failure: Error>(to output: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        bytes.append(utf8: "-- A town of Sooke, for psql: psql -Xq -f FILE \"$DATABASE_URL\"\n")
        for note in PostgresNotes(town, options).lines { bytes.append(utf8: "\(PostgresNotes.mark)\(note)\n") }
        bytes.append(utf8: PostgresSchema.beginning)
        if options.createsTables { bytes.append(utf8: PostgresSchema.tables) }
        bytes.append(utf8: PostgresSchema.preparation)
        try writeRecords(to: output)
        try writeDocuments(to: output)
        if let origin = options.origin {
            let parts = origin.position.description.split(separator: ".")
            bytes.append(
                utf8:
                    "INSERT INTO sooke_position (store, sequence, chain, at) VALUES (\(origin.store.postgresLiteral), "
                    + "\(parts[0]), '\(parts[1])', '\(PostgresText.timestamp(origin.at))');\n")
        }
        bytes.append(utf8: PostgresSchema.keys + PostgresSchema.sequences(highestIDs) + PostgresSchema.end)
        try output(bytes)
    }

    private var highestIDs: [(table: String, id: Int)] {
        PostgresTable.sequences.map { table, sequence in (table.name, town.sequences[sequence]) }
    }

    private mutating func writeRecords<Failure: Error>(to output: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        let projection = projection
        for table in PostgresTable.ofService {
            let isUsers = table == .users
            begin(isUsers ? "sooke_users" : table.name, table.columns.map { $0.value == .role ? "role" : $0.name })
            if isUsers { PostgresProjection.nobodyRow.append(toCopy: &bytes) }
            if let kind = table.kind {
                try append(kind, to: output) { projection.serviceRows(of: $0).filter { $0.table == table } }
            }
            bytes.append(utf8: isUsers ? "\\.\n" + PostgresSchema.users : "\\.\n")
        }
    }

    private mutating func writeDocuments<Failure: Error>(to output: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        let projection = projection
        begin(PostgresTable.documents.name, PostgresTable.documents.columns.map(\.name))
        for kind in options.hasPrivateRecords ? Town.kinds : Town.sharedKinds {
            try append(kind, to: output) { [projection.documentRow(of: $0)] }
        }
        bytes.append(utf8: "\\.\n")
    }

    private mutating func append<Failure: Error>(
        _ kind: RecordKind, to output: ([UInt8]) throws(Failure) -> Void,
        _ rows: (any StoredRecord) -> [PostgresRow]
    ) throws(Failure) {
        // Kinds with one record begin at an ID that is not assigned.
        var last = -1
        while true {
            let records = town.records(of: kind, above: last, limit: 256)
            guard let next = records.last?.id else { return }
            for record in records { for row in rows(record) { row.append(toCopy: &bytes) } }
            last = next
            if bytes.count >= pieceSize { try output(takeBytes()) }
        }
    }

    private mutating func begin(_ table: String, _ columns: [String]) {
        bytes.append(utf8: "COPY \(table) (\(columns.joined(separator: ", "))) FROM stdin;\n")
    }

    private mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
