import JSON
import SookeModel
import Store

/// A patch of any kind of record.
protocol AnyPatch: Sendable {
    /// The kind of the record.
    var kind: RecordKind { get }

    /// The given ID; 0 for none.
    var id: Int { get }

    /// The key that identifies the record in its kind; nil without one.
    var key: RecordKey? { get }

    /// The given time zone; nil without one, and for kinds that have none.
    var timeZone: String? { get }

    /// Adds problems for IDs that would leave too few for later records.
    func checkIDs(_ problems: inout FieldProblems)

    /// Replaces the names in a row of a table by slugs and IDs; see `NameLookup`.
    mutating func lookUp(
        _ row: TableNames, in lookup: inout NameLookup, _ transaction: inout WriteTransaction,
        _ options: ImportOptions, _ problems: inout FieldProblems)

    /// The name of the record, for messages.
    var name: String { get }

    /// Whether records of the kind can have a place, and whether they must.
    var place: (isPossible: Bool, isRequired: Bool) { get }

    /// Whether a place is given.
    var hasPlace: Bool { get }

    /// The field with a text that tells records of the same name apart; nil for kinds that have none.
    var distinction: String? { get }

    /// Gives the record a slug with what tells it from others of its name.
    mutating func nameApart(_ names: inout TableNames?, in zone: TimeZone)

    /// Whether a problem is only that the record refers to a missing one, whose own problem was reported.
    func isConsequence(_ problem: FieldProblem, in lookup: NameLookup) -> Bool

    /// Changes or creates the record; see `WriteTransaction.upsert`.
    func upsert(in transaction: inout WriteTransaction) throws(FieldProblems) -> WriteTransaction.Effect
}

extension Patch: AnyPatch where Value: WritableRecord {
    var kind: RecordKind { Value.kind }

    var id: Int { values.id }

    var key: RecordKey? { RecordKey(Value.kind, values.importKey) }

    var timeZone: String? { values.timeZone }

    var name: String { values.label }

    var place: (isPossible: Bool, isRequired: Bool) {
        let field = Value.fields.place.map { Value.fields.descriptions[$0.latitude] }
        return (field != nil, field?.isRequired == true)
    }

    var hasPlace: Bool { Value.fields.place.map { fields.contains($0.latitude) } ?? false }

    var distinction: String? {
        if case .text(let field, _)? = Value.csvLayout?.distinction { field } else { nil }
    }

    func checkIDs(_ problems: inout FieldProblems) { values.checkGivenIDs(&problems) }

    func upsert(in transaction: inout WriteTransaction) throws(FieldProblems) -> WriteTransaction.Effect {
        try Value.upsert(self, in: &transaction)
    }
}

extension WritableRecord {
    /// Reads a record of a dataset; see `Patch`. The times of a record from a snapshot are skipped, because the import
    /// creates it.
    static func readPatch(
        from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) -> any AnyPatch {
        try Patch<Self>(from: &reader, ignoring: RecordTimes.names, &problems)
    }
}
