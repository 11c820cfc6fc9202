import SookeModel
import Store

/// The history of records.
extension Town {
    /// The history of a record, the newest change first.
    ///
    /// - Parameters:
    ///   - kind: the kind of the record.
    ///   - name: its slug, or a former one. A super admin may also give its ID, even that of a deleted record.
    /// - Throws: `forbidden` and `notFound` as the use cases that change the record; `limited`.
    public func history(
        of kind: RecordKind, named name: String, limit: Int, before: Int?, searched: Int?, for context: RequestContext
    ) async throws(ServiceError) -> History {
        let (id, exists) = try record(kind, named: name, for: context)
        let permit = try accounts.histories.admit(context.caller.personID)
        defer { permit?.release() }
        let history: History
        do {
            history = try await store.writer.history(
                of: kind, id: id, limit: limit, before: before, searched: searched, isWanted: context.isWanted)
        } catch {
            throw ServiceError(error)
        }
        // No record has ever had the ID.
        if !exists, history.entries.isEmpty, history.next == nil, before == nil { throw .notFound(.record(kind)) }
        return history
    }

    /// Whether a caller may see the e-mail address of the author of a change: their own, and all for a super admin. A
    /// person who submits an event does not see the address of the person who decides on it.
    public func showsAddress(of author: Int, to caller: Caller, in community: Community) -> Bool {
        caller.personID == author || caller.isSuperAdmin(in: community)
    }

    private func record(
        _ kind: RecordKind, named name: String, for context: RequestContext
    ) throws(ServiceError) -> (id: Int, exists: Bool) {
        let community = context.community
        let found = community.id(of: kind, named: Slug(name))
        if context.caller.isSuperAdmin(in: community) {
            if let found { return (found, true) }
            guard let id = Int(name), id > 0 else { throw .notFound(.record(kind)) }
            return (id, community.has(kind, id: id))
        }
        guard kind == .business || kind == .event else { throw .forbidden }
        guard let found else { throw .notFound(.record(kind)) }
        try community.requireHistory(of: kind, found, at: Slug(name), for: context.caller)
        return (found, true)
    }
}

extension Community {
    fileprivate func id(of kind: RecordKind, named slug: Slug) -> Int? {
        switch kind {
        case .business: (self.businesses[slug] ?? self.businesses[formerly: slug])?.id
        case .event: (event(at: slug) ?? self.events[formerly: slug])?.value.id
        case .category: self.categories[slug]?.value.id
        case .eventType: self.eventTypes[slug]?.value.id
        default: nil
        }
    }

    fileprivate func has(_ kind: RecordKind, id: Int) -> Bool {
        switch kind {
        case .business: self.businesses[id] != nil
        case .event: self.events[id] != nil
        case .category: self.categories[id] != nil
        case .eventType: self.eventTypes[id] != nil
        default: self.people.has(id: id)
        }
    }

    /// Checks that the caller may change the record or submitted it.
    fileprivate func requireHistory(
        of kind: RecordKind, _ id: Int, at given: Slug, for caller: Caller
    ) throws(ServiceError) {
        if kind == .business {
            return try Access.businessOwner.check(caller, slug: self.businesses[id]?.slug, in: self)
        }
        guard let event = self.events[id]?.value else { throw .notFound(.record(.event)) }
        if event.submittedBy != nil, event.submittedBy == caller.personID { return }
        // By the given slug, because few people know the slug of an event before it was public.
        let slug = self.event(at: given) == nil ? event.slug : given
        try Access.eventReviewer.check(caller, slug: slug, in: self)
    }
}
