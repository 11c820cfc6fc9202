import SookeModel
import Store

/// What a town says of itself.
extension TownService {
    package func updateSettings(_ input: PatchInput<Settings>, for context: RequestContext) -> Transaction<Outcome> {
        once(for: context, .superAdmin) { [self] transaction in
            let settings = transaction.town.settings
            try context.precondition.require(settings.digest, Settings.Joined(settings, in: transaction.town))
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

/// What moves when the time zone of the town is replaced. Other events stay at their times.
package struct TownClockFollowers: Sendable {
    package private(set) var businesses = 0
    package private(set) var series: [EventRecord] = []

    package init(in town: Town) {
        for business in town.businesses.inOrderOfID where business.timeZone == nil {
            let value = business.value
            if !value.hours.isEmpty || value.openingHours != nil || !value.specialHours.isEmpty { businesses += 1 }
        }
        series = town.events.inOrderOfID.filter { $0.value.hasSeries && $0.value.zoneName(in: town) == nil }
    }
}
