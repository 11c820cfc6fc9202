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
        if options.createsTables { bytes.append(utf8: PostgresSchema.requireNoTables + PostgresSchema.tables) }
        bytes.append(
            utf8: PostgresSchema.ownSchema + PostgresSchema.requireEmptyTables + PostgresSchema.companions
                + PostgresSchema.preparation)
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

    private mutating func writeRecords<Failure: Error>(
        to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let (town, projection) = (town, projection)
        let names = PostgresTable.users.columns.map { $0.value == .role ? "role" : $0.name }
        let people = town.people.inOrderOfID.lazy.map { [projection.row(of: $0)] }
        begin("sooke_users", names)
        PostgresProjection.nobodyRow.append(toCopy: &bytes)
        try copy(people, to: output)
        bytes.append(utf8: PostgresSchema.users)
        try copy(
            .categories, town.categories.inOrderOfID.lazy.map { [projection.row(of: $0.value, .categories)] },
            to: output)
        try copy(
            .eventTypes, town.eventTypes.inOrderOfID.lazy.map { [projection.row(of: $0.value, .eventTypes)] },
            to: output)
        let businesses = town.businesses.inOrderOfID.lazy.map(\.value)
        try copy(.businesses, businesses.map { [projection.row(of: $0)] }, to: output)
        try copy(.hours, businesses.map(projection.hourRows), to: output)
        try copy(.menus, businesses.map(projection.menuRows), to: output)
        try copy(.items, businesses.map(projection.itemRows), to: output)
        try copy(.events, town.events.inOrderOfID.lazy.map { [projection.row(of: $0.value)] }, to: output)
    }

    private mutating func writeDocuments<Failure: Error>(
        to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        begin(PostgresTable.documents.name, PostgresTable.documents.columns.map(\.name))
        for kind in options.hasPrivateRecords ? Town.kinds : Town.sharedKinds {
            // Kinds with one record begin at an ID that is not assigned.
            var last = -1
            while true {
                let records = town.records(of: kind, above: last, limit: 256)
                guard let next = records.last?.id else { break }
                for record in records { projection.documentRow(of: record).append(toCopy: &bytes) }
                last = next
                if bytes.count >= pieceSize { try output(takeBytes()) }
            }
        }
        bytes.append(utf8: "\\.\n")
    }

    private mutating func copy<Failure: Error>(
        _ table: PostgresTable, _ rows: some Sequence<[PostgresRow]>, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        begin(table.name, table.columns.map(\.name))
        try copy(rows, to: output)
    }

    private mutating func copy<Failure: Error>(
        _ rows: some Sequence<[PostgresRow]>, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        for rows in rows {
            for row in rows { row.append(toCopy: &bytes) }
            if bytes.count >= pieceSize { try output(takeBytes()) }
        }
        bytes.append(utf8: "\\.\n")
    }

    private mutating func begin(_ table: String, _ columns: [String]) {
        bytes.append(utf8: "COPY \(table) (\(columns.joined(separator: ", "))) FROM stdin;\n")
    }

    private mutating func takeBytes() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
