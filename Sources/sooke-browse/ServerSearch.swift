import Foundation
import SookeClient

/// What the search of the server finds: words in any order and field, with a typo too.
struct ServerSearch: Equatable {
    /// A search in a list, or in the part of it that a parameter selects.
    struct Question: Equatable {
        let path: String
        let text: String
        let filter: URLQueryItem?
        /// Whether the server can be asked.
        let isLive: Bool
    }

    private struct Found: Codable, Sendable {
        let id: Int64
    }

    let question: Question
    /// The IDs of the records, the best match first.
    let ids: [Int64]

    /// Asks a server when the text has not changed for a moment; nil without an answer.
    ///
    /// A question that is no longer wanted is not cancelled on its way: its answer is dropped.
    @MainActor static func ask(_ question: Question, _ client: APIClient) async -> ServerSearch? {
        guard question.isLive, !question.text.isEmpty, (try? await Task.sleep(for: .milliseconds(150))) != nil else {
            return nil
        }
        let query = [
            URLQueryItem(name: "q", value: question.text), URLQueryItem(name: "fields", value: "id"),
            URLQueryItem(name: "per_page", value: "100"), question.filter,
        ].compactMap(\.self)
        let request = Task { try await client.get(question.path, queryItems: query) as PaginatedResponse<Found> }
        guard let response = try? await request.value, !Task.isCancelled else { return nil }
        return ServerSearch(question: question, ids: response.items.map(\.id))
    }

    /// What the server has found, then what only the replica gives.
    func merged<Item: Identifiable<Int64>>(with local: [Item], _ find: (Int64) -> Item?) -> [Item] {
        let found = Set(ids)
        return ids.compactMap(find) + local.filter { !found.contains($0.id) }
    }
}
