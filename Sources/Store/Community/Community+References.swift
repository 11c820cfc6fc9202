import SookeModel

/// References go by slug: a record that others name can only change its slug, or go, in one commit with them.
extension Community {
    /// A record that others may name.
    struct Target {
        let kind: RecordKind
        let id: Int
    }

    /// The record that a change takes its slug from, or deletes; nil when nothing can name it, or it keeps its slug.
    func target(movedBy change: Change) -> Target? {
        switch change {
        case .put(.category(let term)): target(.category, term.id, categories[term.id]?.value.slug, now: term.slug)
        case .put(.eventType(let term)): target(.eventType, term.id, eventTypes[term.id]?.value.slug, now: term.slug)
        case .put(.business(let business)):
            target(.business, business.id, businesses[business.id]?.slug, now: business.slug)
        case .delete(.category, let id): target(.category, id, categories[id]?.value.slug, now: nil)
        case .delete(.eventType, let id): target(.eventType, id, eventTypes[id]?.value.slug, now: nil)
        case .delete(.business, let id): target(.business, id, businesses[id]?.slug, now: nil)
        case .put, .delete: nil
        }
    }

    private func target(_ kind: RecordKind, _ id: Int, _ before: Slug?, now slug: Slug?) -> Target? {
        before == nil || before == slug ? nil : Target(kind: kind, id: id)
    }

    /// Makes sure that nothing names a record by a slug that is not its own any more.
    ///
    /// - Throws: which record does.
    func checkReferences(to target: Target) throws(InapplicableChange) {
        let id = target.id
        switch target.kind {
        case .category:
            let slug = categories[id]?.value.slug
            let keys = CategoryKey.start(of: id)..<CategoryKey.start(of: id + 1)
            for id in businesses.listedByCategory.elements(in: keys).values {
                guard let business = businesses[id], business.category != slug else { continue }
                throw InapplicableChange(description: "business \(business.id) names a category that is gone")
            }
        case .eventType:
            let slug = eventTypes[id]?.value.slug
            for event in events.inOrderOfID where event.eventTypeID == id && event.value.eventType != slug {
                throw InapplicableChange(description: "event \(event.value.id) names an event type that is gone")
            }
        case .business:
            let slug = businesses[id]?.slug
            for event in events.inOrderOfID where event.businessID == id && event.value.business != slug {
                throw InapplicableChange(description: "event \(event.value.id) names a business that is gone")
            }
        default: break
        }
    }
}
