import SookeModel

/// The starter set: categories and event types with which a town can begin.
package enum StarterTerms {
    private static let categories = [
        "Restaurants", "Cafés & Bakeries", "Groceries & Markets", "Shops & Galleries", "Outdoors & Recreation",
        "Health & Wellness", "Home & Trades", "Automotive & Marine", "Lodging", "Community & Services",
    ]
    private static let eventTypes = [
        "Live Music", "Farmers' Market", "Arts & Culture", "Workshop", "Family & Kids", "Outdoors & Nature",
        "Food & Drink", "Community Meeting", "Sports & Recreation", "Fundraiser",
    ]

    /// Creates the terms whose slugs and names are not taken, and returns their kinds.
    @discardableResult
    package static func create(in transaction: inout WriteTransaction) -> [RecordKind] {
        func create<Value: WritableRecord>(_ type: Value.Type, _ names: [String]) -> [RecordKind] {
            names.compactMap { type.createTerm($0, in: &transaction) == nil ? nil : type.kind }
        }
        return create(SookeModel.Category.self, categories) + create(EventType.self, eventTypes)
    }
}

extension WritableRecord {
    /// Creates a term; nil for kinds that are no terms, and when its name is invalid or taken.
    package static func createTerm(_ name: String, in transaction: inout WriteTransaction) -> Slug? {
        let slug = Slug.make(from: name)
        guard let patch = term(named: name), id(of: slug, in: transaction.town) == nil,
            (try? upsert(patch, in: &transaction)) != nil
        else { return nil }
        return slug
    }
}
