import Bytes
import SookeModel
import Store

/// The starter set: categories and event types with which a town can begin.
enum StarterTerms {
    private static let categories = [
        "Restaurants", "Cafés & Bakeries", "Groceries & Markets", "Shops & Galleries", "Outdoors & Recreation",
        "Health & Wellness", "Home & Trades", "Automotive & Marine", "Lodging", "Community & Services",
    ]
    private static let eventTypes = [
        "Live Music", "Farmers' Market", "Arts & Culture", "Workshop", "Family & Kids", "Outdoors & Nature",
        "Food & Drink", "Community Meeting", "Sports & Recreation", "Fundraiser",
    ]

    /// Creates the terms whose slugs and names are not taken, and returns their kinds.
    static func create(in transaction: inout WriteTransaction) -> [RecordKind] {
        let terms = categories.map { (RecordKind.category, $0) } + eventTypes.map { (RecordKind.eventType, $0) }
        return terms.compactMap { kind, name in transaction.createTerm(kind, name) == nil ? nil : kind }
    }

    /// The name of a term for a cell, which may be the slug of it: `live-music` gives `Live music`.
    static func name(from cell: String) -> String {
        let isSlug = Slug.make(from: cell).text.hasSameBytes(as: cell)
        let name = isSlug ? cell.split(separator: "-").joined(separator: " ") : cell
        guard let first = name.first, first.isLowercase else { return name }
        return first.uppercased() + name.dropFirst()
    }
}

extension WriteTransaction {
    /// Creates a category or an event type; nil for other kinds, and when its name is invalid or taken.
    mutating func createTerm(_ kind: RecordKind, _ name: String) -> Slug? {
        switch kind {
        case .category: create(SookeModel.Category.self, name)
        case .eventType: create(EventType.self, name)
        default: nil
        }
    }

    private mutating func create<Vocabulary>(_ type: Term<Vocabulary>.Type, _ name: String) -> Slug?
    where Term<Vocabulary>: SluggedRecord {
        let slug = Slug.make(from: name)
        guard Term<Vocabulary>.find(slug, in: town) == nil else { return nil }
        var patch = Patch<Term<Vocabulary>>()
        patch.values.name = name
        patch.fields = ["name"]
        return (try? upsert(patch)) == nil ? nil : slug
    }
}
