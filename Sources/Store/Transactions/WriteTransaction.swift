import Bytes
import SookeModel

/// A transaction under way: the body of a transaction changes the town through it.
///
/// It starts with the newest version. Each step is validated against the result of the steps before it, and recorded as
/// a change for the log. When the body throws, the transaction is discarded.
package struct WriteTransaction: Sendable {
    package internal(set) var town: Town
    var at: Timestamp
    private(set) var changes: [RecordChange] = []
    /// The fields in which the last step changed a record; empty for a new one.
    package private(set) var fieldsOfLastChange: [String] = []
    /// The highest IDs ever given elsewhere, where imported records are from.
    private var highestIDs = IDSequences()
    /// The highest IDs before the step under way, to restore them when it fails.
    private var sequencesBefore = IDSequences()

    /// A transaction on a version. One that no store runs, as in a dry run, changes nothing else.
    package init(_ town: Town, at: Timestamp = Timestamp.epoch) {
        (self.town, self.at) = (town, at)
    }

    /// If `count` is more than there are businesses, the indexes that only queries read are built once, at the end.
    package mutating func putMany(_ count: Int, _ steps: (inout WriteTransaction) -> Void) {
        guard count > town.businesses.count else { return steps(&self) }
        town.isLoading = true
        steps(&self)
        town.isLoading = false
    }

    /// A transaction on the town without a business, to try a step for a client to whom that business is hidden:
    /// references to it get the same message as references to one that does not exist.
    package func without(_ business: BusinessRecord) -> WriteTransaction {
        var transaction = WriteTransaction(town)
        transaction.at = at
        transaction.apply(.delete(.business, id: business.id))
        return transaction
    }

    package enum Effect: Sendable, Equatable {
        case created
        case updated
        case unchanged
    }

    /// Changes the record with the key of a patch, or creates it, as in an import. When it throws, it has no effect.
    @discardableResult
    @specialized(where Value == Business)
    @specialized(where Value == Event)
    package mutating func upsert<Value: WritableRecord>(_ patch: Patch<Value>) throws(FieldProblems) -> Effect {
        var patch = patch
        let existing = Value.existing(for: &patch, in: town).map(Existing.init)
        var record = patch.applied(to: existing?.record ?? Value())
        try complete(&record, after: existing)
        if record.isNameTaken(in: town, after: existing?.record) {
            restoreSequences()
            var problems = FieldProblems()
            problems.add("name", "\"\(record.label.excerpt())\" is the name of another \(Value.kind.label)")
            throw problems
        }
        let effect = write(record, after: existing)
        if let existing { record.changeOthers(after: existing.record, in: &self) }
        return effect
    }
}

extension WriteTransaction {
    /// Assigns the IDs of a record and its parts, and validates it. When it throws, no ID is assigned.
    mutating func complete<Value: WritableRecord>(
        _ record: inout Value, after existing: Existing<Value>?
    ) throws(FieldProblems) {
        sequencesBefore = town.sequences
        var problems = FieldProblems()
        identify(&record, existing: existing, &problems)
        record.assignIDs(after: existing?.record, &town.sequences)
        record.checkReferences(in: town, &problems)
        record.settle(after: existing?.record, in: town, &problems)
        record.validateInput(after: existing?.record, &problems)
        record.checkChange(after: existing?.record, &problems)
        guard problems.isEmpty else {
            restoreSequences()
            throw problems
        }
    }

    /// For a record that is rejected.
    mutating func restoreSequences() {
        town.sequences = sequencesBefore
    }

    /// Inserts or replaces a record, unless it is unchanged.
    @discardableResult
    mutating func write<Value: WritableRecord>(_ record: Value, after existing: Existing<Value>?) -> Effect {
        guard let before = existing?.record else {
            append(.put(AnyRecord(record)))
            return .created
        }
        let difference = before.difference(from: record)
        if difference.isEmpty { return .unchanged }
        append(.put(AnyRecord(record)), was: before.writtenMembers(difference))
        fieldsOfLastChange = difference.names
        return .updated
    }

    mutating func append(_ change: Change, was: [UInt8]? = nil) {
        var change = apply(change)
        change.was = was
        fieldsOfLastChange = []
        changes.append(change)
    }

    package var lastChangedID: Int? { changes.last?.id }

    /// Whether the steps so far changed only what editors may change: records of certain kinds, but not their owners.
    package var changesPublicDataOnly: Bool {
        changes.allSatisfy { change in
            change.kind.isEditable && change.before?.value.rights?.person == change.after?.value.rights?.person
        }
    }

    mutating func takeChanges() -> [RecordChange] {
        var taken: [RecordChange] = []
        swap(&taken, &changes)
        return taken
    }

    mutating func takeHighestIDs() -> IDSequences {
        defer { highestIDs = IDSequences() }
        return highestIDs
    }

    /// An ID that was given elsewhere, where imported records are from, is not given again here. It is stored with the
    /// changes; without any it is not.
    package mutating func record(highest id: Int, in sequence: IDSequences.Sequence) {
        guard IDRules.isGivable(id), id > town.sequences[sequence] else { return }
        town.sequences.record(id, in: sequence)
        highestIDs.record(id, in: sequence)
    }

    @discardableResult
    mutating func apply(_ change: Change) -> RecordChange {
        do {
            return try town.apply(change, at: at)
        } catch {
            preconditionFailure("a change that was checked could not be applied: \(error)")
        }
    }

    mutating func nextID(_ kind: RecordKind) -> Int {
        town.sequences.next(IDSequences.Sequence(kind))
    }

    /// The ID of the record it changes, the given one, or the next one.
    private mutating func identify<Value: WritableRecord>(
        _ record: inout Value, existing: Existing<Value>?, _ problems: inout FieldProblems
    ) {
        if let id = existing?.record.id {
            if record.id != 0, record.id != id {
                problems.add("id", "is \(record.id), but this \(Value.kind.label) has the ID \(id) here")
            }
            record.id = id
        } else if record.id == 0 {
            record.id = nextID(Value.kind)
        } else if Value.find(record.id, in: town) != nil {
            problems.add("id", "\(record.id) belongs to another \(Value.kind.label); leave it out to get a new one")
        }
    }
}

/// Why a transaction rejects a step. The step then has no effect.
package enum WriteError: Error, Sendable, Equatable {
    case invalid(FieldProblems)
    case taken(slug: Slug)
    /// Another record of its kind has the name, which must be unique.
    case nameTaken(String)
    /// So many records refer to the record to be deleted.
    case inUse(count: Int)
    case notFound
}
