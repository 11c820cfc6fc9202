import Bytes
import SookeModel

/// What becomes of the undo of a commit: it is a transaction like others, so that it can be undone too.
package struct CommitUndo: Sendable {
    /// What to do where something was changed since.
    package struct Choices: Sendable {
        /// Leaves all of a record of which something was changed since, as for an import.
        package var leavesChanged: Bool
        /// The names of conflicts, such as `business/17.phone`, that are reversed all the same, and that stay.
        package var reversed: Set<ByteText>
        package var kept: Set<ByteText>

        package init(leavesChanged: Bool = false, reversed: Set<ByteText> = [], kept: Set<ByteText> = []) {
            (self.leavesChanged, self.reversed, self.kept) = (leavesChanged, reversed, kept)
        }
    }

    /// A field that was changed since, or a record that the commit made and that was changed since.
    package struct Conflict: Sendable, Equatable {
        package let record: ReferenceTarget
        package let label: String
        /// What it was before the commit, and what it is now, as JSON; nil for a record.
        package let field: (name: String, before: [UInt8]?, now: [UInt8]?)?

        package var name: String {
            record.name + (field.map { ".\($0.name)" } ?? "")
        }

        package static func == (left: Conflict, right: Conflict) -> Bool { left.name.hasSameBytes(as: right.name) }
    }

    package struct Left: Sendable, Equatable {
        package enum Reason: Sendable, Equatable {
            case changedSince
            case deletedSince
            case refused(WriteError)
        }

        package let record: ReferenceTarget
        package let label: String
        package let reason: Reason
    }

    /// With any, nothing is changed.
    package internal(set) var conflicts: [Conflict] = []
    package internal(set) var left: [Left] = []
    package internal(set) var changed: [ReferenceTarget] = []
    let choices: Choices

    init(_ choices: Choices) { self.choices = choices }
}

extension WriteTransaction {
    /// Reverses the changes of a commit, field by field, where nothing has changed since: fields get the values before,
    /// deleted records are created again, new ones are deleted. What the log has no longer is not reversed, nor are
    /// former slugs, which stay, and private records but proposals.
    ///
    /// - Returns: also what conflicts; then nothing is changed.
    /// - Throws: why the town does not take one of the values before; when `leavesChanged`, it is left instead.
    package mutating func undo(
        _ commit: ChangeSet, _ choices: CommitUndo.Choices, at now: Timestamp
    ) throws(WriteError) -> CommitUndo {
        let before = self
        var undo = CommitUndo(choices)
        for kind in Town.sharedKinds {
            for item in commit.items where item.kind == kind && item.before != nil {
                try reverse(item, &undo)
                keepShown(item, &undo)
            }
        }
        for kind in Town.sharedKinds.reversed() where !kind.hasOneRecord {
            let made = commit.items.filter { $0.kind == kind && $0.before == nil }
            guard !made.isEmpty else { continue }
            let uses = UsedRecords(in: town)
            for item in made { try removeMade(item, uses, &undo) }
        }
        for item in commit.items where item.kind == .proposal { restoreProposal(item, at: now, &undo) }
        if !undo.conflicts.isEmpty { self = before }
        return undo
    }

    private mutating func reverse(_ item: ChangeSet.Item, _ undo: inout CommitUndo) throws(WriteError) {
        guard let type = Town.recordType(of: item.kind) else { return }
        do throws(WriteError) {
            try reverse(type, item, &undo)
        } catch {
            try undo.leave(item, refusedBy: error)
        }
    }

    /// An event that a calendar withdrew is shown again, and stays; what the calendar said last stays the base.
    private mutating func keepShown(_ item: ChangeSet.Item, _ undo: inout CommitUndo) {
        guard let after = item.after as? Event, let before = item.before as? Event,
            let now = town.events[item.id]?.value,
            before.withdrawnAt == nil, after.withdrawnAt != nil, now.withdrawnAt == after.withdrawnAt
        else { return }
        var patch = Patch<Event>()
        (patch.values, patch.fields) = (now, ["sources"])
        patch.values.source?.keep()
        guard (try? update(now.id, patch)) != nil, undo.changed.last != item.target else { return }
        undo.changed.append(item.target)
    }

    private mutating func reverse<Value: WritableRecord>(
        _ type: Value.Type, _ item: ChangeSet.Item, _ undo: inout CommitUndo
    ) throws(WriteError) {
        guard let before = item.before as? Value else { return }
        guard let after = item.after as? Value else { return try createAgain(before, &undo) }
        guard let now = Value.find(item.id, in: town) else {
            if !before.reversible(after).isEmpty {
                undo.leave(item, .deletedSince)
            }
            return
        }
        var fields = before.reversible(after).intersection(before.reversible(now))
        let changed = fields.intersection(now.difference(from: after))
        if !changed.isEmpty, undo.choices.leavesChanged {
            undo.leave(item, .changedSince, named: now.label)
            return
        }
        fields = fields.subtracting(changed)
        for field in History.Field.values(of: changed, from: before, to: now) {
            let conflict = CommitUndo.Conflict(
                record: item.target, label: now.label, field: (field.name, field.before, field.after))
            if undo.asks(conflict) { fields.insert(field.name) }
        }
        guard !fields.isEmpty else { return }
        var patch = Patch<Value>()
        (patch.values, patch.fields) = (before, fields)
        try update(item.id, patch)
        undo.changed.append(item.target)
    }

    /// With its ID, slug and former slugs, without references to what is there no longer.
    private mutating func createAgain<Value: WritableRecord>(
        _ record: Value, _ undo: inout CommitUndo
    ) throws(WriteError) {
        guard Value.find(record.id, in: town) == nil else { return }
        var record = record
        for reference in Value.references where !town.has(reference, of: record) { reference.setSlug(nil, in: &record) }
        try completeOrThrow(&record, after: nil)
        try requireUnique(record, after: nil)
        write(record, after: nil)
        undo.changed.append(ReferenceTarget(kind: Value.kind, id: record.id))
    }

    private mutating func removeMade(
        _ item: ChangeSet.Item, _ uses: UsedRecords, _ undo: inout CommitUndo
    ) throws(WriteError) {
        guard let made = item.after, let now = town.record(of: item.kind, item.id)?.value else { return }
        if made.isChanged(to: now) {
            if undo.choices.leavesChanged {
                undo.leave(item, .changedSince)
                return
            }
            let conflict = CommitUndo.Conflict(record: item.target, label: item.label, field: nil)
            guard undo.asks(conflict) else { return }
        }
        do throws(WriteError) {
            if let event = now as? Event, event.source != nil {
                try removeForNow(event)
            } else if uses.contains(now) || item.kind == .person || item.kind == .notice {
                try delete(item.kind, item.id)
            } else {
                if item.kind == .business { closeLinksAndProposals(ofBusiness: item.id) }
                append(.delete(item.kind, id: item.id))
            }
            undo.changed.append(item.target)
        } catch {
            try undo.leave(item, refusedBy: error)
        }
    }

    /// As it was before a decision or a deletion, but for the address of its sender, which was deleted then.
    private mutating func restoreProposal(_ item: ChangeSet.Item, at now: Timestamp, _ undo: inout CommitUndo) {
        guard var before = item.before as? Proposal, let after = item.after as? Proposal,
            town.proposals[item.id] == after, before.business.map({ town.businesses.has(id: $0) }) ?? true
        else { return }
        if !after.isOpen { before.email = nil }
        put(before, at: now)
        undo.changed.append(item.target)
    }
}

extension CommitUndo {
    fileprivate mutating func leave(_ item: ChangeSet.Item, _ reason: Left.Reason, named label: String? = nil) {
        left.append(Left(record: item.target, label: label ?? item.label, reason: reason))
    }

    fileprivate mutating func leave(_ item: ChangeSet.Item, refusedBy error: WriteError) throws(WriteError) {
        guard choices.leavesChanged else { throw error }
        leave(item, .refused(error))
    }

    /// Whether a conflict is reversed all the same; without an answer to it it is to be asked about.
    fileprivate mutating func asks(_ conflict: Conflict) -> Bool {
        let name = ByteText(conflict.name)
        if choices.reversed.contains(name) { return true }
        if !choices.kept.contains(name) { conflicts.append(conflict) }
        return false
    }
}

/// What records refer to, so that each of many deletions need not look at all.
private struct UsedRecords {
    private var slugs: Set<Slug> = []

    init(in town: Town) {
        for type in Town.recordTypes { visit(type, town) }
    }

    private mutating func visit<Value: WritableRecord>(_ type: Value.Type, _ town: Town) {
        let references = Value.references
        if references.isEmpty { return }
        for record in Value.all(in: town) {
            for reference in references { if let slug = reference.slug(in: record) { slugs.insert(slug) } }
        }
    }

    func contains(_ record: any StoredRecord) -> Bool { record.ownSlug.map(slugs.contains) ?? true }
}

extension Town {
    fileprivate func has<Value>(_ reference: Reference<Value>, of record: Value) -> Bool {
        if case .id(let path) = reference.path { return record[keyPath: path].map { self.people.has(id: $0) } ?? true }
        guard let slug = reference.slug(in: record) else { return true }
        return Town.recordType(of: reference.kind)?.id(of: slug, in: self) != nil
    }
}

extension ChangeSet.Item {
    package var label: String { ((after ?? before) as? any SookeModel.Record)?.label ?? "" }
}

extension StoredRecord {
    /// The fields in which a later state differs and that can get the values of this one: not what follows from others,
    /// nor addresses that it had.
    fileprivate func reversible(_ later: Self) -> FieldSet<Self> {
        var fields = difference(from: later)
        for name in ["former_slugs", "zone_data", "removed", "sources"] {
            if let index = Self.fields.index(of: name) { fields.remove(index) }
        }
        guard let event = self as? Event, event.startsLocal != nil else { return fields }
        for name in ["starts_at", "ends_at", "over_at"] { fields.remove(Self.fields.knownIndex(of: name)) }
        return fields
    }

    fileprivate func isChanged(to later: any StoredRecord) -> Bool {
        (later as? Self).map { !reversible($0).isEmpty } ?? true
    }
}

extension History.Field {
    fileprivate static func values<Value: StoredRecord>(
        of fields: FieldSet<Value>, from before: Value, to now: Value
    ) -> [History.Field] {
        if fields.isEmpty { return [] }
        let changed = (try? changed(from: before, to: now)) ?? []
        return fields.names.map { name in
            changed.first { $0.name.hasSameBytes(as: name) } ?? History.Field(name: name, before: nil, after: nil)
        }
    }
}
