import Bytes
import SookeModel

/// A version of the town: all its records, with every index that answers a question.
///
/// A community is a value. A copy costs O(1) and is never harmed by changes to the original, so whoever holds one
/// sees one whole version: a page, an export and a snapshot alike.
public struct Community: Sendable {
    /// What businesses are.
    public private(set) var categories = TermTable<CategoryVocabulary>()
    /// What events are.
    public private(set) var eventTypes = TermTable<EventTypeVocabulary>()
    /// Who has an account.
    public private(set) var people = PeopleTable()
    /// The places of business.
    public private(set) var businesses = BusinessTable()
    /// What happens.
    public private(set) var events = EventTable()
    /// What proves who is who.
    public private(set) var passwords = PasswordTable()
    /// What opens doors.
    public private(set) var grants = GrantTable()
    /// The answers to requests that may come again.
    public private(set) var receipts = ReceiptTable()
    /// The highest numbers ever given.
    public internal(set) var numbers = IDSequences()

    /// A town with nothing in it.
    public init() {}

    /// Whether there is no record at all.
    public var isEmpty: Bool {
        RecordKind.allCases.allSatisfy { count(of: $0) == 0 }
    }

    /// How many records of a kind there are.
    public func count(of kind: RecordKind) -> Int {
        switch kind {
        case .category: categories.count
        case .eventType: eventTypes.count
        case .person: people.count
        case .business: businesses.count
        case .event: events.count
        case .password: passwords.count
        case .grant: grants.count
        case .receipt: receipts.count
        }
    }

    /// Makes the town what it is after a change.
    ///
    /// Every change goes through here, that of a commit and that of a line read back at start, but for a business that
    /// is a record already.
    /// - Parameter at: the time of the commit; nil for the line of a snapshot, which says when its record was changed.
    /// - Returns: the business that is put in, if it is one.
    /// - Throws: what the change names and the town does not have.
    @discardableResult
    mutating func apply(_ change: Change, at: Timestamp?) throws(InapplicableChange) -> BusinessRecord? {
        switch change {
        case .put(.business(var business)):
            numbers.note(business)
            stamp(&business, after: businesses[business.id]?.times, at: at)
            let record = try prepared(business)
            businesses.put(record)
            return record
        case .put(let record): try put(record, at: at)
        case .delete(let kind, let id): remove(kind, id: id)
        }
        return nil
    }

    /// Notes when a record is changed, and created if it was not there.
    private func stamp(_ record: inout some Record, after existing: RecordTimes?, at: Timestamp?) {
        guard let at else { return }
        record.times = existing?.changed(at: at) ?? RecordTimes(createdAt: at)
    }

    /// Puts in what is no business.
    private mutating func put(_ record: AnyRecord, at: Timestamp?) throws(InapplicableChange) {
        numbers.note(record.id, of: record.kind)
        switch record {
        case .category(var category):
            stamp(&category, after: categories[category.id]?.value.times, at: at)
            categories.put(category)
        case .eventType(var eventType):
            stamp(&eventType, after: eventTypes[eventType.id]?.value.times, at: at)
            eventTypes.put(eventType)
        case .person(var person):
            stamp(&person, after: people[person.id]?.times, at: at)
            people.put(person)
        case .business: preconditionFailure("a business is put in by apply")
        case .event(var event):
            stamp(&event, after: events[event.id]?.value.times, at: at)
            let eventTypeID = try known(eventTypes[event.eventType]?.value.id, .eventType, event.eventType)
            let businessID = try event.business.map { slug throws(InapplicableChange) in
                try known(businesses[slug]?.id, .business, slug)
            }
            guard let record = EventRecord(event, eventTypeID: eventTypeID, businessID: businessID) else {
                throw InapplicableChange(description: "the event \(event.id) has no start")
            }
            events.put(record)
        case .password(let password): passwords.put(password)
        case .grant(let grant): grants.put(grant)
        case .receipt(let receipt): receipts.put(receipt)
        }
    }

    /// Puts in a business whose numbers were noted.
    mutating func put(_ record: BusinessRecord) {
        businesses.put(record)
    }

    /// Puts in many businesses whose numbers were noted; into a town that has none yet all at once.
    mutating func add(_ records: [BusinessRecord]) {
        if businesses.count == 0 {
            businesses = BusinessTable(records)
        } else {
            for record in records { businesses.put(record) }
        }
    }

    /// A business as a table holds it.
    ///
    /// - Throws: what it names and the town does not have.
    func prepared(_ business: Business) throws(InapplicableChange) -> BusinessRecord {
        // Without `map`: its closure would hold a copy of the town.
        let categoryID = if let category = business.category { try categoryID(of: category) } else { nil as Int? }
        return BusinessRecord(business, categoryID: categoryID, after: businesses[business.id])
    }

    /// The number of the category of a slug.
    ///
    /// - Throws: when the town has none.
    func categoryID(of slug: Slug) throws(InapplicableChange) -> Int {
        try known(categories[slug]?.value.id, .category, slug)
    }

    /// A record in the dataset form; nil when there is none, and for private ones.
    func written(_ kind: RecordKind, id: Int) -> [UInt8]? {
        switch kind {
        case .category: categories[id]?.value.written
        case .eventType: eventTypes[id]?.value.written
        case .person: people[id]?.written
        case .business: businesses[id]?.written
        case .event: events[id]?.value.written
        case .password, .grant, .receipt: nil
        }
    }

    private mutating func remove(_ kind: RecordKind, id: Int) {
        switch kind {
        case .category: categories.remove(id: id)
        case .eventType: eventTypes.remove(id: id)
        case .person: people.remove(id: id)
        case .business: businesses.remove(id: id)
        case .event: events.remove(id: id)
        case .password: passwords.remove(id: id)
        case .grant: grants.remove(id: id)
        case .receipt: receipts.remove(id: id)
        }
    }

    private func known(_ id: Int?, _ kind: RecordKind, _ slug: Slug) throws(InapplicableChange) -> Int {
        guard let id else {
            throw InapplicableChange(description: "there is no \(kind.rawValue) \"\(slug.text.excerpt())\"")
        }
        return id
    }
}

/// A change does not fit the town it is applied to, such as one that names what the town does not have.
struct InapplicableChange: Error, CustomStringConvertible {
    let description: String
}
