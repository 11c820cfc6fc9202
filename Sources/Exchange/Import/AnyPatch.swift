import JSON
import SookeModel
import Store

/// A patch of any kind of record.
enum AnyPatch: Sendable {
    case category(Patch<Category>)
    case eventType(Patch<EventType>)
    case person(Patch<Person>)
    case business(Patch<Business>)
    case event(Patch<Event>)

    /// Reads a record of a dataset; see `Patch`. Nil for a private kind, which datasets do not contain. The times of a
    /// record from a snapshot are skipped, because the import creates it.
    init?(
        _ kind: RecordKind, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        switch kind {
        case .category: self = .category(try Patch(from: &reader, ignoring: RecordTimes.names, &problems))
        case .eventType: self = .eventType(try Patch(from: &reader, ignoring: RecordTimes.names, &problems))
        case .person: self = .person(try Patch(from: &reader, ignoring: RecordTimes.names, &problems))
        case .business: self = .business(try Patch(from: &reader, ignoring: RecordTimes.names, &problems))
        case .event: self = .event(try Patch(from: &reader, ignoring: RecordTimes.names, &problems))
        case .password, .credential, .receipt:
            problems.add("", "is private, so no import takes it")
            try reader.skipValue()
            return nil
        }
    }

    var kind: RecordKind {
        switch self {
        case .category: .category
        case .eventType: .eventType
        case .person: .person
        case .business: .business
        case .event: .event
        }
    }

    /// The given ID; 0 for none.
    var id: Int {
        switch self {
        case .category(let patch): patch.values.id
        case .eventType(let patch): patch.values.id
        case .person(let patch): patch.values.id
        case .business(let patch): patch.values.id
        case .event(let patch): patch.values.id
        }
    }

    /// Adds problems for IDs that would leave too few for later records.
    func checkIDs(_ problems: inout FieldProblems) {
        IDRules.check(given: id, "id", &problems)
        guard case .business(let patch) = self else { return }
        for (index, day) in patch.values.hours.enumerated() {
            IDRules.check(given: day.id, "hours[\(index)].id", &problems)
        }
        for (index, menu) in patch.values.menus.enumerated() {
            IDRules.check(given: menu.id, "menus[\(index)].id", &problems)
            for (place, item) in menu.items.enumerated() {
                IDRules.check(given: item.id, "menus[\(index)].items[\(place)].id", &problems)
            }
        }
    }

    /// The key that identifies the record in its kind; nil without one.
    var key: RecordKey? {
        switch self {
        case .category(let patch): RecordKey(.category, patch.values.slug, named: patch.values.name)
        case .eventType(let patch): RecordKey(.eventType, patch.values.slug, named: patch.values.name)
        case .person(let patch): RecordKey(email: patch.values.email)
        case .business(let patch): RecordKey(.business, patch.values.slug, named: patch.values.name)
        case .event(let patch): RecordKey(.event, patch.values.slug, named: patch.values.name)
        }
    }

    /// Changes or creates the record; see `WriteTransaction.upsert`.
    func upsert(in transaction: inout WriteTransaction) throws(FieldProblems) -> WriteTransaction.Effect {
        switch self {
        case .category(let patch): try transaction.upsert(patch)
        case .eventType(let patch): try transaction.upsert(patch)
        case .person(let patch): try transaction.upsert(patch)
        case .business(let patch): try transaction.upsert(patch)
        case .event(let patch): try transaction.upsert(patch)
        }
    }
}
