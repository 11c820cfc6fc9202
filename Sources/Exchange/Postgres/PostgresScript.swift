import Bytes
import CFiles
import SookeModel
import Store

package struct PostgresOptions: Sendable {
    package var createsTables = false
    package var hasPrivateRecords = false
    /// The version of which store the town is.
    package var origin: (store: String, version: Version)?

    package init() {}
}

/// The rows of a town for empty tables; what happens around them is in the files of this folder.
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

    /// Changes nothing. The first error must end `psql`, since it takes the lines of a refused `COPY` for commands.
    private static let beginning = """
        \\set ON_ERROR_STOP on
        BEGIN;
        SET LOCAL client_encoding = 'UTF8';
        SET LOCAL standard_conforming_strings = on;
        SET LOCAL datestyle = 'ISO, YMD';
        SET LOCAL timezone = 'UTC';
        SET LOCAL statement_timeout = 0;
        SET LOCAL client_min_messages = warning;

        """

    mutating func write<Failure: Error>(to output: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        bytes.append(utf8: "-- A town of Sooke, for psql: psql -Xq -f FILE \"$DATABASE_URL\"\n")
        for note in PostgresNotes(town, options).lines { bytes.append(utf8: "\(PostgresNotes.mark)\(note)\n") }
        bytes.append(utf8: Self.beginning)
        if options.createsTables { bytes.append(utf8: String(cString: sooke_tables_sql())) }
        bytes.append(utf8: String(cString: sooke_prepare_sql()))
        let projection = projection
        for table in PostgresTable.all {
            // In the temporary table people have roles by name.
            begin(table == .users ? "sooke_users" : table.name, table.columns.map(\.name))
            if table == .users { bytes.append(copying: PostgresProjection.nobodyRow.values) }
            try append(table.kind, to: output) { projection.rows(of: $0).filter { $0.table == table }.map(\.values) }
            bytes.append("\\.\n")
        }
        begin(PostgresDocument.table, PostgresDocument.columns)
        for kind in options.hasPrivateRecords ? Town.kinds : Town.sharedKinds {
            try append(kind, to: output) { [PostgresDocument.cells(of: $0)] }
        }
        bytes.append("\\.\n")
        writeEnd()
        try output(bytes)
    }

    private mutating func append<Failure: Error>(
        _ kind: RecordKind, to output: ([UInt8]) throws(Failure) -> Void, _ rows: (any StoredRecord) -> [[String?]]
    ) throws(Failure) {
        // Kinds with one record begin at an ID that is not assigned.
        var last = -1
        while true {
            let records = town.records(of: kind, above: last, limit: 256)
            guard let next = records.last?.id else { return }
            for record in records { for row in rows(record) { bytes.append(copying: row) } }
            last = next
            if bytes.count >= pieceSize {
                try output(bytes)
                bytes = []
            }
        }
    }

    private mutating func begin(_ table: String, _ columns: [String]) {
        bytes.append(utf8: "COPY \(table) (\(columns.joined(separator: ", "))) FROM stdin;\n")
    }

    private mutating func writeEnd() {
        if let (store, version) = options.origin {
            let parts = version.position.description.split(separator: ".")
            let values = "\(store.postgresLiteral), \(parts[0]), '\(parts[1])'"
            bytes.append(
                utf8: "INSERT INTO sooke_position (store, sequence, chain, at) VALUES (\(values), "
                    + "'\(PostgresText.timestamp(version.time.at))');\n")
        }
        bytes.append("CALL pg_temp.sooke_finish();\n")
        // A sequence is set even if the transaction fails.
        for table in PostgresTable.all {
            bytes.append(utf8: "CALL sooke_given('\(table.name)', \(town.sequences[table.sequence]));\n")
        }
        let tables = ["user_roles"] + PostgresTable.all.map(\.name) + [PostgresDocument.table]
        bytes.append(utf8: "COMMIT;\nANALYZE \(tables.joined(separator: ", "));\n")
    }
}
