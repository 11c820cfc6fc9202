import Bytes
import JSON
import SookeModel
import Store

/// Writes a version of the town in pieces. The same version gives the same bytes.
package struct Export: Sendable {
    package struct Table: RawRepresentable, Sendable, CaseIterable {
        package let rawValue: String

        package static let allCases = CSVFileReader.tables.map { Table($0.kind) }
        /// Without their menus.
        package static let businesses = Table(.business)
        /// Including those that are not public.
        package static let events = Table(.event)

        private init(_ kind: RecordKind) { rawValue = kind.collection }

        package init?(rawValue: String) {
            guard let found = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: rawValue) }) else { return nil }
            self = found
        }

        fileprivate var table: (any AnyCSVTable)? { CSVFileReader.tables.first { $0.kind.collection == rawValue } }
    }

    private let town: Town
    private let postgres: PostgresOptions
    private static let pieceSize = 1 << 16

    package init(_ town: Town, postgres: PostgresOptions = PostgresOptions()) {
        (self.town, self.postgres) = (town, postgres)
    }

    /// CSV, which cannot hold all kinds, is one table.
    package func write<Failure: Error>(
        _ format: ExportFormat, table: Table = .businesses, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        switch format {
        case .json: try town.writeDocument(pieceSize: Self.pieceSize, to: output)
        case .ndjson: try writeNDJSON(output)
        case .csv: try table.table?.write(town, pieceSize: Self.pieceSize, to: output)
        case .postgres:
            var script = PostgresScript(town, postgres, pieceSize: Self.pieceSize)
            try script.write(to: output)
        }
    }

    package func bytes(_ format: ExportFormat, table: Table = .businesses) -> [UInt8] {
        var bytes: [UInt8] = []
        write(format, table: table) { bytes.append(contentsOf: $0) }
        return bytes
    }
}

extension Export {
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
    case json
    /// One record a line, as `{"business":{…}}`.
    case ndjson
    case csv
    /// A script for `psql`, which fills the tables of the Go service.
    case postgres
}

/// What everybody may read of a table: its columns without those of people.
package struct PublicRows<Value: WritableRecord>: Sendable {
    private let table: CSVTable<Value>

    package init() {
        guard let table = CSVTable<Value>() else { preconditionFailure("there is no table of \(Value.kind)") }
        self.table = table.withoutPeople
    }

    package var header: [UInt8] {
        var writer = CSVWriter()
        writer.row(table.columns.map(\.name))
        return writer.bytes
    }

    package func row(of value: Value) -> [UInt8] {
        var writer = CSVWriter()
        // Only the column of a person needs the town.
        writer.row(table.cells(of: value, in: Town()).map { $0.map(FormulaGuard.guarded) })
        return writer.bytes
    }
}
