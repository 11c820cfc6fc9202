import Bytes
import SookeModel

/// A transaction under way: the body of a transaction changes the town through it.
///
/// It starts with the newest version. Each step is validated against the result of the steps before it, and recorded as
/// a change for the log. When the body throws, the transaction is discarded.
public struct WriteTransaction {
    /// The town as the steps so far leave it.
    public internal(set) var community: Community
    /// The time of the commit.
    var at: Timestamp
    /// What the steps so far changed.
    private(set) var changes: [RecordChange] = []
    /// The highest numbers before the step under way, to go back to when it is refused.
    private var sequencesBefore = IDSequences()

    /// A transaction on a version. One that no store runs, as in a dry run, changes nothing else and has no time.
    public init(_ community: Community) {
        (self.community, at) = (community, Timestamp(microseconds: 0))
    }

    /// The same town without a business, to try a step for somebody for whom that business does not exist: what refers
    /// to it is refused in the words for one that never was.
    public func without(_ business: BusinessRecord) -> WriteTransaction {
        var transaction = WriteTransaction(community)
        transaction.at = at
        transaction.apply(.delete(.business, id: business.id))
        return transaction
    }

    /// What an upsert came to.
    public enum Effect: Sendable, Equatable {
        /// The record is new.
        case created
        /// The record was there and is now another.
        case updated
        /// The record was there just as it is given.
        case unchanged
    }

    /// Puts a record in: the one with its slug is changed, or a new one made. So does an import.
    ///
    /// - Throws: everything that is wrong with it, references included; the town is then as it was.
    @discardableResult
    public mutating func upsert<Value: SluggedRecord>(_ patch: Patch<Value>) throws(FieldProblems) -> Effect {
        let given = patch.values.slug
        let slug = given.isEmpty ? Slug.make(from: patch.values.name) : given
        let existing = Value.find(slug, in: community).map(Existing.init)
        var record = patch.applied(to: existing?.record ?? Value())
        record.slug = slug
        try complete(&record, after: existing)
        if record.isNameTaken(in: community, after: existing?.record) {
            restoreSequences()
            var problems = FieldProblems()
            problems.add("name", "\"\(record.name.excerpt())\" is the name of another \(Value.kind.label)")
            throw problems
        }
        return write(record, after: existing)
    }

    /// Puts a person in: the one with their e-mail address is changed, or a new one made. So does an import.
    ///
    /// - Throws: everything that is wrong with them; the town is then as it was.
    @discardableResult
    public mutating func upsert(_ patch: Patch<Person>) throws(FieldProblems) -> Effect {
        let existing = community.people[email: patch.values.email].map(Existing.init)
        var person = patch.applied(to: existing?.record ?? Person())
        try complete(&person, after: existing)
        let effect = write(person, after: existing)
        if let existing { endAuthority(of: existing.record, now: person) }
        return effect
    }
}

/// The two halves of every step.
extension WriteTransaction {
    /// Gives a record its number and those of its parts, and checks it.
    ///
    /// - Throws: everything that is wrong with it; no number has been given then.
    mutating func complete<Value: WritableRecord>(
        _ record: inout Value, after existing: Existing<Value>?
    ) throws(FieldProblems) {
        sequencesBefore = community.sequences
        var problems = FieldProblems()
        identify(&record, existing: existing, &problems)
        record.assignIDs(after: existing?.record, &community.sequences)
        record.checkReferences(in: community, &problems)
        checkInput(record, after: existing, &problems)
        guard problems.isEmpty else {
            restoreSequences()
            throw problems
        }
    }

    /// Notes what breaks the input rules. What a record broke before, and is left as it is, is not held against a
    /// change of something else: it was stored when it was no problem.
    private func checkInput<Value: WritableRecord>(
        _ record: Value, after existing: Existing<Value>?, _ problems: inout FieldProblems
    ) {
        var found = FieldProblems()
        record.validateInput(&found)
        var before = FieldProblems()
        if !found.isEmpty, let existing { existing.record.validateInput(&before) }
        for problem in found.all {
            let wasThere = before.all.contains { $0.field.hasSameBytes(as: problem.field) }
            if wasThere, let existing, record.hasSame(problem.field, as: existing.record) { continue }
            problems.add(problem.field, problem.message)
        }
        record.checkChange(after: existing?.record, &problems)
    }

    /// Forgets the numbers that `complete` gave to a record that does not get into the town.
    mutating func restoreSequences() {
        community.sequences = sequencesBefore
    }

    /// Makes a record part of the town, unless it is there already as it is.
    @discardableResult
    mutating func write<Value: WritableRecord>(_ record: Value, after existing: Existing<Value>?) -> Effect {
        guard let before = existing?.record else {
            append(.put(AnyRecord(record)))
            return .created
        }
        if before == record { return .unchanged }
        append(.put(AnyRecord(record)), was: before.writtenDifference(from: record))
        return .updated
    }

    /// Changes the town, and notes that for the log.
    ///
    /// - Parameter was: what was before, if the caller knows; see `RecordChange.was`.
    mutating func append(_ change: Change, was: [UInt8]? = nil) {
        var change = apply(change)
        change.was = was
        changes.append(change)
    }

    /// The changes so far, which are not the transaction's any more.
    mutating func takeChanges() -> [RecordChange] {
        var taken: [RecordChange] = []
        swap(&taken, &changes)
        return taken
    }

    /// Changes the town.
    @discardableResult
    mutating func apply(_ change: Change) -> RecordChange {
        do {
            return try community.apply(change, at: at)
        } catch {
            preconditionFailure("a change that was checked could not be applied: \(error)")
        }
    }

    /// The next free number of a kind of record.
    mutating func nextID(_ kind: RecordKind) -> Int {
        community.sequences.next(kind)
    }

    /// Gives a record its number: that of the record it changes, the one it brings, or the next one.
    private mutating func identify<Value: WritableRecord>(
        _ record: inout Value, existing: Existing<Value>?, _ problems: inout FieldProblems
    ) {
        if let id = existing?.record.id {
            if record.id != 0, record.id != id {
                problems.add("id", "is \(record.id), but this \(Value.kind.label) has the number \(id) here")
            }
            record.id = id
        } else if record.id == 0 {
            record.id = nextID(Value.kind)
        } else if Value.find(record.id, in: community) != nil {
            problems.add("id", "\(record.id) belongs to another \(Value.kind.label); leave it out to get a new one")
        }
    }
}
