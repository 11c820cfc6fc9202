import Bytes
import JSON
import SookeModel
import Store

/// Writes a version of the town in one of the formats, in pieces.
///
/// The same version gives the same bytes.
///
/// ```swift
/// try Export(store.current.community).write(.json) { piece in try output.write(piece) }
/// ```
public struct Export: Sendable {
    /// The table in a CSV file.
    public enum Table: String, Sendable, CaseIterable {
        /// Businesses, without their menus.
        case businesses
        /// Events, including those that are not public.
        case events
    }

    private let community: Community
    /// The size of a piece, in bytes.
    private static let pieceSize = 1 << 16

    /// An export of a version of the town.
    public init(_ community: Community) {
        self.community = community
    }

    /// Writes all records; CSV, which cannot hold all kinds, one table.
    ///
    /// - Parameter output: is called with the pieces in order.
    /// - Throws: what `output` throws.
    public func write<Failure: Error>(
        _ format: ExchangeFormat, table: Table = .businesses, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        switch (format, table) {
        case (.json, _): try community.writeDocument(pieceSize: Self.pieceSize, to: output)
        case (.ndjson, _): try writeNDJSON(output)
        case (.csv, .businesses):
            try writeTable(.businesses, community.businesses.inOrderOfID.lazy.map(\.value), output)
        case (.csv, .events):
            try writeTable(.events, community.events.inOrderOfID.lazy.map(\.value), output)
        }
    }

    /// All records in one piece; see `write`.
    public func bytes(_ format: ExchangeFormat, table: Table = .businesses) -> [UInt8] {
        var bytes: [UInt8] = []
        write(format, table: table) { bytes.append(contentsOf: $0) }
        return bytes
    }
}

extension Export {
    /// Calls a function with the records of a kind, by ID.
    private func forEach<Failure: Error>(
        _ kind: RecordKind, _ body: (any Record) throws(Failure) -> Void
    ) throws(Failure) {
        switch kind {
        case .category: for record in community.categories.inOrderOfID { try body(record.value) }
        case .eventType: for record in community.eventTypes.inOrderOfID { try body(record.value) }
        case .person: for person in community.people.inOrderOfID { try body(person) }
        case .business: for record in community.businesses.inOrderOfID { try body(record.value) }
        case .event: for record in community.events.inOrderOfID { try body(record.value) }
        case .password, .credential, .receipt: break  // Private: they never leave the store.
        }
    }

    /// One record per line, as `{"business":{…}}`.
    private func writeNDJSON<Failure: Error>(_ output: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var writer = JSONWriter()
        for kind in RecordKind.shared {
            try forEach(kind) { record throws(Failure) in
                writer.beginObject()
                writer.key(kind.rawValue)
                record.write(to: &writer)
                writer.endObject()
                writer.breakLine()
                guard writer.bytes.count >= Self.pieceSize else { return }
                try output(writer.bytes)
                writer = JSONWriter(reservingCapacity: Self.pieceSize)
            }
        }
        if !writer.bytes.isEmpty { try output(writer.bytes) }
    }

    /// A row with the names of the columns, then one record per row.
    private func writeTable<Value, Failure: Error>(
        _ table: CSVTable<Value>, _ records: some Sequence<Value>, _ output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var writer = CSVWriter()
        for column in table.columns { writer.cell(column.name) }
        writer.endRow()
        for record in records {
            for cell in table.cells(of: record, in: community) { writer.cell(cell.map(FormulaGuard.guarded)) }
            writer.endRow()
            if writer.bytes.count >= Self.pieceSize { try output(writer.takeBytes()) }
        }
        if !writer.bytes.isEmpty { try output(writer.takeBytes()) }
    }
}
