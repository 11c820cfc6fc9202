/// A category of businesses.
public struct Category: Codable, Identifiable, Sendable, Hashable {
    /// The unique ID.
    public let id: Int64
    /// Its name.
    public let name: String
    /// Its part of the address.
    public let slug: String

    /// A category.
    public init(id: Int64, name: String, slug: String) {
        (self.id, self.name, self.slug) = (id, name, slug)
    }
}
