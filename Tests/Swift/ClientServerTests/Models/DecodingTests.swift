import Foundation
import HTTP
import TestSupport
import Testing

@testable import SookeClient

/// The wire models decode every response, and no response leaves out, or has null for, what they do not call optional.
@Suite struct DecodingTests {
    /// A recorded response of the contract.
    private struct Case: Decodable {
        let path: String
    }

    /// What clients that know only the models do not read.
    private static let unread: Set = ["starts_at", "ends_at", "today_hours", "reason"]
    private static let contract = ProjectFolder.file("Tests/Binary/Contract")

    /// Decodes the response to a `GET` of a path.
    private static func decode(_ body: Data, of path: String, _ status: Int) throws {
        if status != 200 { return try decode(APIErrorResponse.self, body) }
        let parts = path.split { $0 == "?" || $0 == "/" }.map(String.init)
        let isOne = path.split(separator: "?")[0].split(separator: "/").count == 4
        switch parts.dropFirst(2).first {
        case "businesses":
            try isOne ? decode(BusinessDetails.self, body) : decode(PaginatedResponse<Business>.self, body)
        case "events": try isOne ? decode(EventDetails.self, body) : decode(PaginatedResponse<EventDetails>.self, body)
        case "categories": try isOne ? decode(Category.self, body) : decode(ListResponse<Category>.self, body)
        case "event-types": try isOne ? decode(EventType.self, body) : decode(EventTypeListResponse.self, body)
        case "health": try decode(JSONValue.self, body)
        default: Issue.record("there is no type for \(path)")
        }
    }

    /// Decodes a response, and compares the value with it.
    private static func decode<Value: Codable>(_ type: Value.Type, _ body: Data) throws {
        let value = try JSONDecoder().decode(type, from: body)
        let sent = try JSONDecoder().decode(JSONValue.self, from: body)
        if let place = try JSONValue(encoding: value).difference(from: sent, unread: unread) {
            Issue.record("\(type) has another \(place) than \(String(decoding: body, as: UTF8.self))")
        }
    }

    @Test func allResponsesOfTheContract() async throws {
        let town = try await ClientTown(Data(contentsOf: Self.contract.appending(path: "dataset.json")))
        let cases = try Data(contentsOf: Self.contract.appending(path: "cases.jsonl")).split(
            separator: UInt8(ascii: "\n"))
        let stranger = Peer.inet(address: "127.0.0.1", port: 1, isLoopback: true)
        var count = 0
        for line in cases {
            let recorded = try JSONDecoder().decode(Case.self, from: line)
            guard recorded.path.hasPrefix("/api/v1/") else { continue }
            // Some requests of the contract are not valid, and are refused before a route sees them.
            guard let response = try? await town.send(.get, recorded.path, from: stranger),
                response.body.first == UInt8(ascii: "{")
            else { continue }
            count += 1
            try Self.decode(Data(response.body), of: recorded.path, Int(response.status.code))
        }
        #expect(cases.count == 233 && count > 200)
    }
}

extension JSONValue {
    /// The first place where a value that was encoded again differs from what was sent; nil if it has all of it.
    fileprivate func difference(from sent: JSONValue, unread: Set<String>, at place: String = "") -> String? {
        switch (self, sent) {
        case (.object(let members), .object(let others)):
            for (name, other) in others where members[name] == nil && other != .null && !unread.contains(name) {
                return "\(place).\(name), which is lost"
            }
            for (name, value) in members {
                guard let other = others[name] else { return "\(place).\(name), which was not sent" }
                if let found = value.difference(from: other, unread: unread, at: "\(place).\(name)") { return found }
            }
            return nil
        case (.array(let values), .array(let others)):
            guard values.count == others.count else { return place }
            return zip(values, others).lazy.compactMap { $0.difference(from: $1, unread: unread, at: place) }.first
        // Only its owner sees a business without a category.
        case (.string(""), .null) where [".category_name", ".category_slug"].contains(place): return nil
        default: return self == sent ? nil : place
        }
    }
}
