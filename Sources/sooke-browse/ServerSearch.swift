import Foundation
import SookeClient

/// What the search of the server finds: words in any order and field, with a typo too.
struct ServerSearch: Equatable {
    /// A search, in a category or in all.
    struct Question: Equatable {
        let text: String
        let category: String?
        /// Whether the server can be asked.
        let isLive: Bool
    }

    private struct Found: Codable, Sendable {
        let id: Int64
    }

    let question: Question
    /// The IDs of the businesses, the best match first.
    let businesses: [Int64]

    /// Asks a server when the text has not changed for a moment; nil without an answer.
    ///
    /// A question that is no longer wanted is not cancelled on its way: its answer is dropped.
    @MainActor static func ask(_ question: Question, _ client: APIClient) async -> ServerSearch? {
        guard question.isLive, !question.text.isEmpty, (try? await Task.sleep(for: .milliseconds(150))) != nil else {
            return nil
        }
        var items = [("q", question.text), ("fields", "id"), ("per_page", "100")]
        if let category = question.category { items.append(("category", category)) }
        let query = items.map { URLQueryItem(name: $0.0, value: $0.1) }
        let request = Task { try await client.get(APIPath.businesses, queryItems: query) as PaginatedResponse<Found> }
        guard let response = try? await request.value, !Task.isCancelled else { return nil }
        return ServerSearch(question: question, businesses: response.items.map(\.id))
    }
}
