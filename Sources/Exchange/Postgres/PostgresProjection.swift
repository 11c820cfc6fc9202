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
    /// Instead of times that are not known.
    private var time = Timestamp.epoch

    package init(_ town: Town) {
        self.init(center: town.settings.center) { kind, slug in
            Town.recordType(of: kind)?.id(of: slug, in: town).map { "\($0)" }
        }
    }

    package init(center: Coordinates?, id: @escaping @Sendable (_ kind: RecordKind, _ slug: Slug) -> String?) {
        (self.center, self.id) = (center ?? .placeholder, id)
    }

    /// Of what a commit changes. Nothing is known of the town: a slug stands for its ID, and nothing for the center.
    init(at time: Timestamp) {
        (center, self.time, id) = (nil, time, { _, slug in PostgresText.text(slug.text) })
    }

    /// None for a record that has only a document.
    package func rows(of record: any StoredRecord) -> [PostgresRow] {
        guard let record = record as? any PostgresRecord else { return [] }
        return [row(of: record)] + ((record as? Business)?.partRows ?? [])
    }

    func row<Value: PostgresRecord>(of record: Value) -> PostgresRow {
        var row = PostgresRow(Value.table, of: record)
        for reference in Value.referencesInTable {
            row[reference.postgresColumn] = reference.slug(in: record).flatMap { id(reference.kind, $0) }
        }
        let created = record.times.created ?? time
        row.setTimes(created, record.times.updated ?? max(created, time))
        record.complete(&row, center: center)
        return row
    }

    static let nobodyRow: PostgresRow = {
        var person = Person()
        (person.id, person.clerkID, person.email) = (nobody, "sooke:nobody", "nobody@sooke.invalid")
        return PostgresProjection(at: Timestamp.epoch).row(of: person)
    }()

    static func isNobody(_ row: PostgresRow) -> Bool {
        row.table == .users && row.id == nobody && row["clerk_id"] == nobodyRow["clerk_id"]
    }
}

extension PostgresRow {
    mutating func setTimes(_ created: Timestamp, _ updated: Timestamp) {
        (self["created_at"], self["updated_at"]) = (PostgresText.timestamp(created), PostgresText.timestamp(updated))
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
        var fields = FieldSet<Value>.all
        for reference in Value.referencesInTable { fields = fields.subtracting([reference.field]) }
        record.writeFields(fields, to: &writer)
        writer.endObject()
        return writer.bytes
    }
}
