import Foundation

/// One page of a list.
public struct PaginatedResponse<T: Codable & Sendable>: Codable, Sendable {
    /// The items of the page.
    public let items: [T]
    /// Which page of the list it is.
    public let pagination: Pagination
}

/// A whole list.
public struct ListResponse<T: Codable & Sendable>: Codable, Sendable {
    /// The items of the list.
    public let items: [T]
}

/// Which page of a list it is.
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
}

extension PaginatedResponse: Equatable where T: Equatable {}
extension PaginatedResponse: Hashable where T: Hashable {}
extension ListResponse: Equatable where T: Equatable {}
extension ListResponse: Hashable where T: Hashable {}

/// The part of a long list that has been loaded: the first pages.
struct PagedList<Item: Codable & Identifiable & Sendable>: Sendable {
    var items: [Item] = []
    /// Nil before the first response.
    private(set) var pagination: Pagination?

    var nextPage: Int? {
        guard let pagination, pagination.page < pagination.totalPages else { return nil }
        return pagination.page + 1
    }

    mutating func replace(with page: PaginatedResponse<Item>) {
        (items, pagination) = (page.items, page.pagination)
    }

    /// Appends the next page, without items that moved there from a page that has been loaded before.
    mutating func append(_ page: PaginatedResponse<Item>) {
        var known = Set(items.map(\.id))
        items += page.items.filter { known.insert($0.id).inserted }
        pagination = page.pagination
    }
}

extension APIClient {
    /// Reads all pages of a list.
    public func getAll<T: Codable & Identifiable & Sendable>(
        _ path: String, queryItems: [URLQueryItem] = []
    ) async throws -> [T] {
        var list = PagedList<T>()
        var number: Int? = 1
        while let page = number {
            let parameters = [URLQueryItem("page", "\(page)"), URLQueryItem("per_page", "100")]
            let response: PaginatedResponse<T> = try await get(path, queryItems: queryItems + parameters)
            list.append(response)
            // A list that becomes shorter ends with an empty page.
            number = response.items.isEmpty || response.pagination.page != page ? nil : list.nextPage
        }
        return list.items
    }
}
