import Bytes
import JSON
import SookeModel
import Store

/// What changed in the town, and its undo: a commit that reverses another one, field by field.
extension TownService {
    /// What editors may change, for them; all that is shared, for super admins.
    ///
    /// - Parameter deletes: whether only commits are listed that deleted something.
    package func changes(
        before: Int? = nil, limit: Int, deletes: Bool = false, for context: RequestContext
    ) async throws(ServiceError) -> CommitHistory {
        try Access.editor.check(context.caller, slug: nil, in: context.town)
        let history = try await limits.readLog(for: context.caller.personID) {
            try await store.commits(before: before, limit: limit, deletes: deletes, isWanted: context.isWanted)
        }
        let (isAdmin, removed) = (context.isSuperAdmin, RemovedRecords(context.town))
        return history.filtered { item in
            if let proposal = item.after as? Proposal { return !proposal.isOpen }
            return (isAdmin ? item.kind.isShared : item.kind.isEditable) && !removed.contains(item.target)
        }
    }

    /// - Parameters:
    ///   - sequence: of a commit of which the request names the digest, since a restored town has other commits.
    ///   - choices: what to do where something was changed since. An import leaves it.
    /// - Returns: with conflicts when nothing was done.
    /// - Throws: `notFound` when the history does not have it any longer; `preconditionRequired`,
    ///   `preconditionFailed`; `forbidden` when the caller may not change all that it changed; `limited`, and what
    ///   keeps the town from taking one of the values before.
    package func undo(
        _ sequence: Int, _ choices: CommitUndo.Choices, for context: RequestContext
    ) async throws(ServiceError) -> CommitUndo {
        guard let digests = context.precondition.required, digests.namesVersions else { throw .preconditionRequired }
        let found = try await limits.readLog(for: context.caller.personID) {
            try await store.commit(sequence, isWanted: context.isWanted)
        }
        guard let found else { throw .notFound(.change) }
        guard digests.digests.contains(found.position.chain.bits) else { throw .preconditionFailed(current: nil) }
        let clock = expiryClock
        var transaction = Transaction(for: context, .member) { transaction in
            let (before, now) = (transaction.town, clock.now())
            let (isPull, removed) = (found.act?.verb == CommitAct.pullVerb, RemovedRecords(before))
            let isImport = isPull || found.act?.verb == CommitAct.importVerb
            let commit = found.filtered { !removed.contains($0.target) }
            guard isImport || commit.items.count == found.items.count else { throw ServiceError.notFound(.change) }
            guard UndoPermission(context.caller, in: before, at: now).allows(commit) else {
                throw ServiceError.forbidden
            }
            var choices = choices
            if isImport { choices.leavesChanged = true }
            let undo = try transaction.undo(commit, choices, at: now)
            if isPull { try transaction.pauseCalendars(of: commit) }
            try transaction.town.requireAdmin(after: before)
            return undo
        }
        transaction.act = .undoing(found.position)
        return try await run(transaction, for: context)
    }

    package func mayUndo(_ commit: ChangeSet, for caller: Caller, in town: Town) -> Bool {
        UndoPermission(caller, in: town, at: clock()).allows(commit)
    }

    /// Until when what happens now can probably be undone; nil when the history is never dropped for its age.
    package func undoEnd(ofCommitAt time: Timestamp) -> Timestamp? {
        store.historyExtent.end(ofCommitAt: time, now: clock())
    }

    /// Takes a deleted record out of the trash, and what it contained out of the history that pages and the API show.
    /// The log has it until its oldest part is dropped.
    ///
    /// - Parameter name: what it was called, so that nobody removes another one.
    package func removeForGood(
        _ kind: RecordKind, _ id: Int, named name: String, for context: RequestContext
    ) async throws(ServiceError) {
        try Access.superAdmin.check(context.caller, slug: nil, in: context.town)
        let deleted = try await deletedRecord(kind, id, for: context)
        guard deleted.nameInTrash.hasSameBytes(as: name) else {
            throw .invalid("name", "must be what it was called: \(deleted.nameInTrash)")
        }
        let entry = RemovedRecords.entry(deleted)
        var transaction = Transaction(for: context, .superAdmin) { transaction in
            guard transaction.town.record(of: kind, id) == nil else { throw ServiceError.notFound(.record(kind)) }
            var patch = Patch<Settings>()
            let others = transaction.town.settings.value.removed.filter { !$0.hasSameBytes(as: entry) }
            patch.values.removed = others.suffix(Settings.mostRemoved - 1) + [entry]
            patch.fields = ["removed"]
            try transaction.upsert(patch)
        }
        transaction.act = CommitAct(verb: "remove")
        try await run(transaction, for: context)
    }

    /// As it was when it was deleted. Throws `notFound` when it is there, or the history does not have its deletion.
    package func deletedRecord(
        _ kind: RecordKind, _ id: Int, for context: RequestContext
    ) async throws(ServiceError) -> any SookeModel.Record {
        let target = ReferenceTarget(kind: kind, id: id)
        guard context.town.record(of: kind, id) == nil, !RemovedRecords(context.town).contains(target) else {
            throw .notFound(.record(kind))
        }
        let found = try await limits.readLog(for: context.caller.personID) { () async throws -> ChangeSet? in
            let history = try await store.history(of: kind, id: id, limit: 1, isWanted: context.isWanted)
            guard let entry = history.entries.first, entry.action == .deleted else { return nil }
            return try await store.commit(entry.position.sequence, isWanted: context.isWanted)
        }
        let item = found?.items.first { $0.target == target }
        guard let record = item?.before as? any SookeModel.Record else { throw .notFound(.record(kind)) }
        return record
    }
}

extension WriteTransaction {
    /// Else the next answer would do the same.
    fileprivate mutating func pauseCalendars(of commit: ChangeSet) throws(WriteError) {
        let sources = commit.items.compactMap { ($0.after as? Event)?.source?.calendar }
        for id in Set(sources).sorted() where town.calendars[id] != nil {
            var patch = Patch<PulledCalendar>()
            (patch.values.isPaused, patch.fields) = (true, ["is_paused"])
            try update(id, patch)
        }
    }
}

extension StoredRecord {
    package var nameInTrash: String {
        let label = (self as? any SookeModel.Record)?.label ?? ""
        return (self as? Person)?.email ?? (label.isEmpty ? "\(Self.kind.label) \(id)" : label)
    }
}

/// The records that were removed for good: no history shows what they contained.
package struct RemovedRecords {
    private var names: Set<ByteText> = []
    private var slugs: Set<UInt64> = []

    package init(_ town: Town) {
        for entry in town.settings.value.removed {
            let parts = entry.utf8.split(separator: UInt8(ascii: "/"))
            guard parts.count >= 2 else { continue }
            names.insert(ByteText(parts[..<2].map { String(Substring($0)) }.joined(separator: "/")))
            if parts.count == 3, let slug: UInt64 = Hex.integer(parts[2]) { slugs.insert(slug) }
        }
    }

    package func contains(_ target: ReferenceTarget) -> Bool { names.contains(ByteText(target.name)) }

    package func cleared(_ fields: [History.Field]) -> [History.Field] {
        slugs.isEmpty ? fields : fields.filter { !hides($0.before) && !hides($0.after) }
    }

    private func hides(_ value: [UInt8]?) -> Bool {
        guard let value, value.first == UInt8(ascii: "\"") else { return false }
        return slugs.contains(XXH64.digest(value.span))
    }

    fileprivate static func entry(_ record: some SookeModel.Record) -> String {
        let name = ReferenceTarget(kind: type(of: record).kind, id: record.id).name
        guard let slug = record.ownSlug, !slug.isEmpty else { return name }
        var writer = JSONWriter()
        writer.string(slug.text)
        return "\(name)/\(Hex.text(of: XXH64.digest(writer.bytes.span)))"
    }
}

/// Who may undo a commit: who may make each of its changes. Owners may undo what others changed at their place, but
/// only what they may set themselves.
private struct UndoPermission {
    private let caller: Caller
    private let person: Person?
    private let town: Town
    private let decider: Decider

    init(_ caller: Caller, in town: Town, at now: Timestamp) {
        (self.caller, person, self.town) = (caller, caller.person(in: town), town)
        decider = Decider(caller, in: town, at: now)
    }

    func allows(_ commit: ChangeSet) -> Bool {
        let items = commit.items.filter { $0.kind.isShared || $0.kind == .proposal }
        return !items.isEmpty && items.allSatisfy { allows($0, by: commit.by) }
    }

    private func allows(_ item: ChangeSet.Item, by author: Author) -> Bool {
        if decider.isSuperAdmin { return true }
        if let proposal = (item.before ?? item.after) as? Proposal { return decider.mayDecide(on: proposal) }
        if decider.isEditor {
            let hasOther = item.before != nil && item.after != nil
            return item.kind.isEditable && !(hasOther && item.before?.rights?.person != item.after?.rights?.person)
        }
        guard let person else { return false }
        switch (item.before, item.after) {
        case (let before as Business, let after as Business):
            let fields = before.difference(from: after).subtracting(["confirmed_at", "confirmed_by"])
            return town.businesses[item.id]?.isManaged(by: person) ?? false
                && fields.isSubset(of: SettableFields.ownBusiness)
        case _ where item.kind == .event:
            // Also as it is now: it may have been published or moved since.
            let states = [item.before, item.after, town.events[item.id]?.value].compactMap { $0 as? Event }
            if states.allSatisfy({ $0.isManaged(by: person, in: town) }) { return true }
            return author == .person(person.id)
                && states.allSatisfy { !$0.status.isPublic && $0.submittedBy == person.id }
        default: return false
        }
    }
}
