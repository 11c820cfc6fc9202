import SookeModel
import Store

/// Records of kinds without rules of their own, such as categories: all may read them, and editors change them.
extension TownService {
    package func record<Value: SluggedRecord>(
        _ slug: Slug, of type: Value.Type, in town: Town
    ) throws(ServiceError) -> Value.Stored {
        guard let record = Value.id(of: slug, in: town).flatMap({ Value.stored($0, in: town) }) else {
            throw .notFound(.record(Value.kind))
        }
        return record
    }

    package func createRecord<Value: SluggedRecord>(
        _ input: PatchInput<Value>, for context: RequestContext
    ) -> Transaction<Outcome> {
        once(for: context, .editor) { [self] transaction in
            var (patch, problems) = input.restricted(to: context.settable(in: transaction.town))
            Value.complete(
                &patch, after: nil, by: context.caller.personID, in: transaction.town, at: clock(), &problems)
            try transaction.requireNone(of: problems) { [patch] trial throws(WriteError) in try trial.create(patch) }
            let id = try transaction.create(patch).id
            return .created(try transaction.town.joined(Value.self, id: id))
        }
    }

    package func updateRecord<Value: SluggedRecord>(
        _ slug: Slug, _ input: PatchInput<Value>, for context: RequestContext
    ) -> Transaction<Outcome> {
        once(for: context, .editor) { [self] transaction in
            let record = try record(slug, of: Value.self, matching: context.precondition, in: transaction.town)
            let id = record.id
            var (patch, problems) = input.restricted(to: context.settable(in: transaction.town))
            Value.complete(
                &patch, after: record.value, by: context.caller.personID, in: transaction.town, at: clock(), &problems)
            try transaction.requireNone(of: problems) { [patch] trial throws(WriteError) in try trial.update(id, patch)
            }
            try transaction.update(id, patch)
            return .updated(try transaction.town.joined(Value.self, id: id))
        }
    }

    /// One that no other refers to.
    package func deleteRecord<Value: SluggedRecord>(
        _ slug: Slug, of type: Value.Type, for context: RequestContext
    ) -> Transaction<Outcome> {
        once(for: context, .editor) { [self] transaction in
            let record = try record(slug, of: type, matching: context.precondition, in: transaction.town)
            try transaction.delete(record.value)
            return .deleted
        }
    }

    func record<Value: SluggedRecord>(
        _ slug: Slug, of type: Value.Type, matching precondition: Precondition, in town: Town
    ) throws(ServiceError) -> Value.Stored {
        let record = try record(slug, of: type, in: town)
        try precondition.require(record, in: town)
        return record
    }
}

extension RequestContext {
    fileprivate func settable<Value: SluggedRecord>(in town: Town) -> FieldSet<Value> {
        caller.isSuperAdmin(in: town) ? SettableFields.all(of: Value.self) : SettableFields.edited(of: Value.self)
    }
}

/// What a town says of itself.
extension TownService {
    package func updateSettings(_ input: PatchInput<Settings>, for context: RequestContext) -> Transaction<Outcome> {
        once(for: context, .superAdmin) { [self] transaction in
            let settings = transaction.town.settings
            try context.precondition.require(settings, in: transaction.town)
            var (patch, problems) = input.restricted(to: SettableFields.all(of: Settings.self))
            checkTimeZone(patch.values.timeZone, &problems)
            do throws(FieldProblems) {
                try transaction.upsert(patch)
            } catch {
                problems.add(consequences: error)
            }
            guard problems.isEmpty else { throw ServiceError.invalid(problems) }
            return .updated(try transaction.town.joined(Settings.self, id: Settings.onlyID))
        }
    }
}

/// What moves when the time zone of the town is replaced, because it stays at its times on the clocks.
package struct TownClockFollowers: Sendable {
    package private(set) var businesses = 0
    package private(set) var events: [EventRecord] = []

    package init(in town: Town) {
        for business in town.businesses.inOrderOfID where business.timeZone == nil {
            let value = business.value
            if !value.hours.isEmpty || value.openingHours != nil || !value.specialHours.isEmpty { businesses += 1 }
        }
        events = town.events.inOrderOfID.filter { $0.value.zoneName(in: town) == nil }
    }
}
