import Bytes
import JSON
import SookeModel

/// A record of any kind.
public enum AnyRecord: Sendable, Equatable {
    /// A category.
    case category(Category)
    /// An event type.
    case eventType(EventType)
    /// A person.
    case person(Person)
    /// A business; by reference, since it is large, and a change is handed on a few times.
    indirect case business(Business)
    /// An event.
    case event(Event)
    /// A password.
    case password(PasswordRecord)
    /// A grant.
    case grant(Grant)
    /// A receipt.
    case receipt(Receipt)

    /// Which kind it is.
    public var kind: RecordKind {
        switch self {
        case .category: .category
        case .eventType: .eventType
        case .person: .person
        case .business: .business
        case .event: .event
        case .password: .password
        case .grant: .grant
        case .receipt: .receipt
        }
    }

    /// The record's number.
    public var id: Int {
        switch self {
        case .category(let category): category.id
        case .eventType(let eventType): eventType.id
        case .person(let person): person.id
        case .business(let business): business.id
        case .event(let event): event.id
        case .password(let password): password.id
        case .grant(let grant): grant.id
        case .receipt(let receipt): receipt.id
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .category(let category): category.write(to: &writer)
        case .eventType(let eventType): eventType.write(to: &writer)
        case .person(let person): person.write(to: &writer)
        case .business(let business): business.write(to: &writer)
        case .event(let event): event.write(to: &writer)
        case .password(let password): password.write(to: &writer)
        case .grant(let grant): grant.write(to: &writer)
        case .receipt(let receipt): receipt.write(to: &writer)
        }
    }

    /// The record in the form that the log has.
    var written: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1024)
        write(to: &writer)
        return writer.bytes
    }

    /// Reads a record that the store itself has written.
    init(_ kind: RecordKind, from reader: inout JSONReader) throws(StoredRecordError) {
        switch kind {
        case .category: self = .category(try Category(stored: &reader))
        case .eventType: self = .eventType(try EventType(stored: &reader))
        case .person: self = .person(try Person(stored: &reader))
        case .business: self = .business(try Business(stored: &reader))
        case .event: self = .event(try Event(stored: &reader))
        case .password: self = .password(try PasswordRecord(stored: &reader))
        case .grant: self = .grant(try Grant(stored: &reader))
        case .receipt: self = .receipt(try Receipt(stored: &reader))
        }
    }
}

/// What one commit does to one record: the record as it is afterwards, or that it is gone.
///
/// Changes are after-images, so to apply one twice is to apply it once.
public enum Change: Sendable, Equatable {
    /// The record is new, or is now this.
    case put(AnyRecord)
    /// The record is gone.
    case delete(RecordKind, id: Int)

    /// Reads a change that the store itself has written: `{"business":{…}}` for a new record,
    /// `{"business":{…},"was":{…}}` for one that was there, `{"deleted":"business","id":3,"was":{…}}`. What was before
    /// does not matter here.
    init(from reader: inout JSONReader) throws(StoredRecordError) {
        do {
            try reader.beginObject()
            let name = try reader.nextKey()
            if let kind = name.flatMap(RecordKind.init(named:)) {
                self = .put(try AnyRecord(kind, from: &reader))
            } else {
                guard name == "deleted", let kind = RecordKind(named: try reader.readString()),
                    try reader.nextKey() == "id"
                else { throw reader.error("a change names no known kind of record") }
                self = .delete(kind, id: try reader.readInt())
            }
            guard let more = try reader.nextKey() else { return }
            guard more == "was" else { throw reader.error("a change has a member too many") }
            try reader.skipValue()
            guard try reader.nextKey() == nil else { throw reader.error("a change has a member too many") }
        } catch {
            throw StoredRecordError(error)
        }
    }
}
