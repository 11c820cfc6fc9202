/// A menu of a business.
public struct Menu: Codable, Identifiable, Sendable, Hashable {
    /// The unique ID.
    public let id: Int64
    /// Its name.
    public let name: String
    /// What it is about.
    public let description: String?
    /// What it offers.
    public let items: [MenuItem]

    /// A menu.
    public init(id: Int64, name: String, description: String? = nil, items: [MenuItem]) {
        (self.id, self.name, self.description, self.items) = (id, name, description, items)
    }
}

/// What a menu offers.
public struct MenuItem: Codable, Identifiable, Sendable, Hashable {
    /// The unique ID.
    public let id: Int64
    /// Its name.
    public let name: String
    /// What it is.
    public let description: String?
    /// Its price, with two decimals.
    public let price: String

    /// An item.
    public init(id: Int64, name: String, description: String? = nil, price: String) {
        (self.id, self.name, self.description, self.price) = (id, name, description, price)
    }
}
