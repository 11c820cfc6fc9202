import Bytes
import JSON
import SookeModel
import Store

/// Writes a version of the town in one of the formats, in pieces.
///
/// The same version gives the same bytes.
///
/// ```swift
/// try Export(store.current.town).write(.json) { piece in try output.write(piece) }
/// ```
package struct Export: Sendable {
    /// The table in a CSV file.
    package struct Table: RawRepresentable, Sendable, CaseIterable {
        fileprivate let table: any AnyCSVTable

        package static let allCases = CSVFileReader.tables.map { Table(table: $0) }
        /// Businesses, without their menus.
        package static let businesses = Table(of: .business)
        /// Events, including those that are not public.
        package static let events = Table(of: .event)

        private init(table: any AnyCSVTable) {
            self.table = table
        }

        private init(of kind: RecordKind) {
            guard let table = Self(rawValue: kind.collection) else {
                preconditionFailure("there is no table of \(kind.collection)")
            }
            self = table
        }

        /// The table of a collection; nil when it has none.
        package init?(rawValue: String) {
            guard let found = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: rawValue) }) else { return nil }
            self = found
        }

        /// The collection of the records.
        package var rawValue: String { table.kind.collection }
    }

    private let town: Town
    private let postgres: PostgresOptions
    /// The size of a piece, in bytes.
    private static let pieceSize = 1 << 16

    package init(_ town: Town, postgres: PostgresOptions = PostgresOptions()) {
        (self.town, self.postgres) = (town, postgres)
    }

    /// Writes all records; CSV, which cannot hold all kinds, one table.
    ///
    /// - Parameter output: is called with the pieces in order.
    /// - Throws: what `output` throws.
    package func write<Failure: Error>(
        _ format: ExportFormat, table: Table = .businesses, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        switch format {
        case .json: try town.writeDocument(pieceSize: Self.pieceSize, to: output)
        case .ndjson: try writeNDJSON(output)
        case .csv: try table.table.write(town, pieceSize: Self.pieceSize, to: output)
        case .postgres:
            var script = PostgresScript(town, postgres, pieceSize: Self.pieceSize)
            try script.write(to: output)
        }
    }

    /// All records in one piece; see `write`.
    package func bytes(_ format: ExportFormat, table: Table = .businesses) -> [UInt8] {
        var bytes: [UInt8] = []
        write(format, table: table) { bytes.append(contentsOf: $0) }
        return bytes
    }
}

extension Export {
    /// One record per line, as `{"business":{…}}`.
    private func writeNDJSON<Failure: Error>(_ output: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var writer = JSONWriter()
        for kind in Town.sharedKinds {
            for record in town.written(kind) {
                writer.beginObject()
                writer.key(kind.name)
                writer.raw(record)
                writer.endObject()
                writer.breakLine()
                guard writer.bytes.count >= Self.pieceSize else { continue }
                try output(writer.bytes)
                writer = JSONWriter(reservingCapacity: Self.pieceSize)
            }
        }
        if !writer.bytes.isEmpty { try output(writer.bytes) }
    }
}

package enum ExportFormat: String, Sendable, CaseIterable {
    /// One JSON document with all collections.
    case json
    /// One record per line, as `{"business":{…}}`.
    case ndjson
    /// A table of businesses or of events.
    case csv
    /// A script for `psql` that brings all records into the tables of the Go service.
    case postgres
}

/// The rows of a table with what everybody may read: the columns of an import without those of people.
package struct PublicRows<Value: WritableRecord>: Sendable {
    private let table: CSVTable<Value>

    /// The rows of a kind of record that has a table.
    package init() {
        guard let table = CSVTable<Value>() else { preconditionFailure("there is no table of \(Value.kind)") }
        self.table = table.withoutPeople
    }

    /// The first row, which names the columns.
    package var header: [UInt8] {
        var writer = CSVWriter()
        for column in table.columns { writer.cell(column.name) }
        writer.endRow()
        return writer.bytes
    }

    package func row(of value: Value) -> [UInt8] {
        var writer = CSVWriter()
        // Only the column of a person needs the town.
        for cell in table.cells(of: value, in: Town()) { writer.cell(cell.map(FormulaGuard.guarded)) }
        writer.endRow()
        return writer.bytes
    }
}
