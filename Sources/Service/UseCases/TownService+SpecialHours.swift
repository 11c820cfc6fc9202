import Bytes
import SookeModel
import Store

/// One entry of the special hours of a business at a time. The outcome is the whole business.
extension TownService {
    /// - Parameter problems: those of the row.
    package func addSpecialHours(
        _ row: SpecialHours, _ problems: FieldProblems, to slug: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        changeSpecialHours(of: slug, isCreated: true, problems, for: context) { rows throws(ServiceError) in
            if row.from != nil, rows.contains(where: { ($0.from, $0.to) == (row.from, row.to) }) { throw .datesTaken }
            rows.append(row)
        }
    }

    /// All their spans. `to` is the last day; nil when no others begin on the first one.
    package func removeSpecialHours(
        from: CivilDate, to: CivilDate?, of slug: Slug, for context: RequestContext
    ) -> Transaction<Outcome> {
        changeSpecialHours(of: slug, FieldProblems(), for: context) { rows throws(ServiceError) in
            let isNamed = { (row: SpecialHours) in row.from == from && (to == nil || row.to == to) }
            guard let first = rows.first(where: isNamed) else { throw .notFound(.specialHours) }
            guard rows.allSatisfy({ !isNamed($0) || $0.to == first.to }) else {
                throw .invalid("to", "is needed: several special hours begin on \(from.text)")
            }
            rows.removeAll(where: isNamed)
        }
    }

    private func changeSpecialHours(
        of slug: Slug, isCreated: Bool = false, _ problems: FieldProblems, for context: RequestContext,
        _ change: @escaping @Sendable (inout [SpecialHours]) throws(ServiceError) -> Void
    ) -> Transaction<Outcome> {
        once(for: context, .businessEditor, at: slug) { [self] transaction in
            let business = try business(slug, matching: context.precondition, in: transaction.town)
            var patch = Patch<Business>()
            patch.values.specialHours = business.value.specialHours
            patch.fields = ["special_hours"]
            try change(&patch.values.specialHours)
            let place = "special_hours[\(patch.values.specialHours.count - 1)]."
            try transaction.requireNone(of: problems, in: place) { [patch] trial throws(WriteError) in
                try trial.update(business.id, patch)
            }
            try transaction.update(business.id, patch)
            let record = try transaction.town.joined(Business.self, id: business.id)
            return isCreated ? .created(record) : .updated(record)
        }
    }
}
