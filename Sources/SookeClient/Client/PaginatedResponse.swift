/// One page of a list.
public struct PaginatedResponse<T: Codable & Sendable>: Codable, Sendable {
    /// The items of the page.
    public let items: [T]
    /// Which page it is.
    public let pagination: Pagination

    /// A page.
    public init(items: [T], pagination: Pagination) {
        (self.items, self.pagination) = (items, pagination)
    }
}

/// A whole list.
public struct ListResponse<T: Codable & Sendable>: Codable, Sendable {
    /// The items of the list.
    public let items: [T]

    /// A list.
    public init(items: [T]) {
        self.items = items
    }
}

/// The place of a page in a list.
public struct Pagination: Codable, Sendable, Hashable {
    /// The number of the page, from 1.
    public let page: Int
    /// The most items of a page.
    public let perPage: Int
    /// The number of items in the whole list.
    public let totalItems: Int
    /// The number of pages.
    public let totalPages: Int

    private enum CodingKeys: String, CodingKey {
        case page
        case perPage = "per_page"
        case totalItems = "total_items"
        case totalPages = "total_pages"
    }

    /// The place of a page.
    public init(page: Int, perPage: Int, totalItems: Int, totalPages: Int) {
        (self.page, self.perPage, self.totalItems, self.totalPages) = (page, perPage, totalItems, totalPages)
    }
}

extension PaginatedResponse: Equatable where T: Equatable {}
extension PaginatedResponse: Hashable where T: Hashable {}
extension ListResponse: Equatable where T: Equatable {}
extension ListResponse: Hashable where T: Hashable {}
