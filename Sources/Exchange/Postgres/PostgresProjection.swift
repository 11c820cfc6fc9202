import Bytes
import JSON
import SookeModel
import Store

/// How the records of a town become rows of the Go service's tables.
///
/// It depends on nothing but the record, the IDs of the records that it refers to by slug, and the center of the town.
/// So an export, a follower and an import agree on it.
package struct PostgresProjection: Sendable {
    /// Events without a submitter belong to this person: the Go service requires one.
    static let nobody = 0

    private let center: Coordinates?
    private let id: @Sendable (RecordKind, Slug) -> String?

    package init(_ town: Town) {
        self.init(center: town.settings.center) { kind, slug in
            Town.recordType(of: kind)?.id(of: slug, in: town).map { "\($0)" }
        }
    }

    package init(center: Coordinates?, id: @escaping @Sendable (_ kind: RecordKind, _ slug: Slug) -> String?) {
        (self.center, self.id) = (center ?? .placeholder, id)
    }

    /// The follower does not know the town: a slug stands for its ID, and nothing for the center.
    private init() {
        (center, id) = (nil, { _, slug in PostgresText.text(slug.text) })
    }

    static let following = PostgresProjection()

    /// None for a record that has only a document.
    package func rows(of record: any StoredRecord) -> [PostgresRow] {
        guard let record = record as? any PostgresRecord else { return [] }
        return [row(of: record)] + ((record as? Business)?.partRows ?? [])
    }

    func row<Value: PostgresRecord>(of record: Value) -> PostgresRow {
        var row = PostgresRow(Value.table, of: record)
        for reference in Value.references where row.table.index(of: reference.postgresColumn) != nil {
            row[reference.postgresColumn] = reference.slug(in: record).flatMap { id(reference.kind, $0) }
        }
        row.setTimes(record.times.created, record.times.updated)
        record.complete(&row, center: center)
        return row
    }

    static let nobodyRow: PostgresRow = {
        var person = Person()
        (person.id, person.clerkID, person.email) = (nobody, "sooke:nobody", "nobody@sooke.invalid")
        return following.row(of: person)
    }()

    static func isNobody(_ row: PostgresRow) -> Bool {
        row.table == .users && row.id == nobody && row["clerk_id"] == nobodyRow["clerk_id"]
    }
}

extension PostgresRow {
    /// Times that are not known are the epoch: the same in each export.
    mutating func setTimes(_ created: Timestamp?, _ updated: Timestamp?) {
        self["created_at"] = PostgresText.timestamp(created ?? Timestamp.epoch)
        self["updated_at"] = updated.map(PostgresText.timestamp) ?? self["created_at"]
    }
}

/// What the tables of the Go service cannot hold comes back from a table of documents.
enum PostgresDocument {
    static let table = "sooke_documents"
    static let columns = ["kind", "id", "document"]

    static func cells(of record: some StoredRecord) -> [String?] {
        let text = (record as? any PostgresRecord).map { withoutSlugs($0) } ?? record.written
        return [type(of: record).kind.name, "\(record.id)", String(decoding: text, as: UTF8.self)]
    }

    /// Without the members that the row holds as the IDs of others: a new slug of another record must not change it.
    private static func withoutSlugs<Value: PostgresRecord>(_ record: Value) -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        record.writeFields(FieldSet<Value>.all.subtracting(Value.fieldsWithSlugs), to: &writer)
        writer.endObject()
        return writer.bytes
    }
}
