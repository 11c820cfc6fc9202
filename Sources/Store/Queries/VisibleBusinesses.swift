import SookeModel

/// The businesses that somebody may see.
///
/// An event shows the name, slug and coordinates of its business to everybody, because apps expect them. Anything else
/// about a business that is not listed is only for those who may see it: its address, that it has events, and that an
/// event is found by its name.
public enum VisibleBusinesses: Sendable {
    /// All businesses.
    case all
    /// The listed businesses, which have a category: everybody may see them.
    case listed
    /// These and those that a person owns.
    case listedOrOwned(by: Int)

    /// Whether a business is visible.
    public func contains(_ business: BusinessRecord) -> Bool {
        switch self {
        case .all: true
        case .listed: business.categoryID != nil
        case .listedOrOwned(let owner): business.categoryID != nil || business.ownerID == owner
        }
    }
}

extension Town {
    /// The business with a slug; nil when it is not visible.
    public func business(_ slug: Slug, among visible: VisibleBusinesses) -> BusinessRecord? {
        self.businesses[slug].flatMap { visible.contains($0) ? $0 : nil }
    }
}
