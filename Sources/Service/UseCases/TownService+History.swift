import SookeModel
import Store

extension TownService {
    /// - Parameter name: its slug, or a former one. Who may change all records of the kind may also give its ID, even
    ///   that of a deleted record.
    /// - Throws: `forbidden` and `notFound` as the use cases that change the record; `limited`.
    package func history(
        of kind: RecordKind, named name: String, limit: Int, before: Int?, for context: RequestContext
    ) async throws(ServiceError) -> History {
        let (id, exists) = try record(kind, named: name, for: context)
        let history = try await limits.readLog(for: context.caller.personID) {
            try await store.history(of: kind, id: id, limit: limit, before: before, isWanted: context.isWanted)
        }
        // No record has ever had the ID.
        if !exists, history.entries.isEmpty, history.next == nil, before == nil { throw .notFound(.record(kind)) }
        let removed = RemovedRecords(context.town)
        if removed.contains(ReferenceTarget(kind: kind, id: id)) { throw .notFound(.record(kind)) }
        return history.mappingFields(removed.cleared)
    }

    /// Their own, and all for a super admin. A person who submits an event does not see the address of the person who
    /// decides on it.
    package func showsAddress(of author: Int, to caller: Caller, in town: Town) -> Bool {
        caller.personID == author || caller.isSuperAdmin(in: town)
    }

    private func record(
        _ kind: RecordKind, named name: String, for context: RequestContext
    ) throws(ServiceError) -> (id: Int, exists: Bool) {
        let town = context.town
        guard let type = Town.recordType(of: kind) else { throw .notFound(.record(kind)) }
        let found = type.id(of: Slug(name), in: town) ?? type.id(formerly: Slug(name), in: town)
        let caller = context.caller
        if caller.isSuperAdmin(in: town) || kind.isEditable && caller.isEditor(in: town) {
            if let found { return (found, true) }
            guard let id = Int(name), id > 0 else { throw .notFound(.record(kind)) }
            return (id, town.record(of: kind, id) != nil)
        }
        guard kind == .business || kind == .event else { throw .forbidden }
        guard let found, let record = town.record(of: kind, found) else { throw .notFound(.record(kind)) }
        try Access.requireHistory(of: record, at: Slug(name), for: caller, in: town)
        return (found, true)
    }
}

extension Access {
    /// Checks that the caller may change a record or submitted it.
    fileprivate static func requireHistory(
        of record: any TableRecord, at given: Slug, for caller: Caller, in town: Town
    ) throws(ServiceError) {
        switch record {
        case let business as BusinessRecord: try businessEditor.check(caller, slug: business.slug, in: town)
        case let event as EventRecord:
            if event.value.submittedBy != nil, event.value.submittedBy == caller.personID { return }
            // By the given slug, because few people know the slug of an event before it was public.
            try eventReviewer.check(caller, slug: town.event(at: given) == nil ? event.value.slug : given, in: town)
        default: throw .forbidden
        }
    }
}
