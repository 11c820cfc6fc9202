import Foundation
import SookeModel

/// A change of a record, as the feed gives it.
public struct Change: Sendable, Equatable {
    /// What happened to the record, for this client.
    public enum Action: String, Codable, Sendable {
        /// The record is new, or has become visible.
        case created
        /// The record has changed.
        case updated
        /// The record was deleted, or is no longer visible.
        case deleted
    }

    /// The kind of a record.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// A category of businesses.
        case category
        /// A type of events.
        case eventType = "event_type"
        /// A business.
        case business
        /// An event.
        case event
    }

    /// A record as it is after the change.
    enum Record: Sendable, Equatable {
        case category(SookeModel.Category)
        case eventType(SookeModel.EventType)
        case business(SookeModel.Business)
        case event(SookeModel.Event)
    }

    /// The kind of the record.
    public let kind: Kind
    /// What happened.
    public let action: Action
    /// The unique ID of the record.
    public let id: Int64
    /// The slug of the record.
    public let slug: String
    /// The slug that the record had before, if it has another one now.
    public let formerSlug: String?
    /// The record; nil when it is gone.
    let record: Record?
}

extension Change: Decodable {
    private enum CodingKeys: String, CodingKey {
        case kind, action, id, slug, record
        case formerSlug = "former_slug"
    }

    /// Decodes the data of an event. Members that are not known are ignored.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        kind = try members.decode(Kind.self, forKey: .kind)
        action = try members.decode(Action.self, forKey: .action)
        id = try members.decode(Int64.self, forKey: .id)
        slug = try members.decodeIfPresent(String.self, forKey: .slug) ?? ""
        formerSlug = try members.decodeIfPresent(String.self, forKey: .formerSlug)
        if action == .deleted {
            record = nil
            return
        }
        let value = try members.decode(JSONValue.self, forKey: .record)
        record =
            switch kind {
            case .category: .category(try SookeModel.Category.read(value).value)
            case .eventType: .eventType(try SookeModel.EventType.read(value).value)
            case .business: .business(try SookeModel.Business.read(value).value)
            case .event: .event(try SookeModel.Event.read(value).value)
            }
    }
}

/// Assembles the events of a stream into whole commits.
///
/// Only the last event of a commit has an ID, which is the position after the commit. After `reset` the position is 0
/// until the whole version is complete, and a stream that breaks before begins anew.
struct CommitAssembler {
    /// The position before everything.
    static let beginning = "0"

    /// The position of the last commit that is complete.
    private(set) var position: String
    /// The changes of a commit that is not complete.
    private var changes: [Change] = []
    /// Whether the changes are a whole version.
    private var isWhole = false

    init(position: String?) {
        self.position = position ?? Self.beginning
    }

    /// Discards a commit that is not complete: it comes again.
    mutating func disconnect() {
        (changes, isWhole) = ([], false)
    }

    /// Takes the next item of the stream.
    ///
    /// - Returns: what is complete with it; nil when more is to come.
    /// - Throws: `DecodingError`.
    mutating func receive(_ item: ServerSentEvents.Item) throws -> LiveChanges.Element? {
        switch item {
        case .retry: return nil
        case .id(let id): return complete(at: id)
        case .event(let event):
            switch event.type {
            case "reset":
                (changes, isWhole, position) = ([], true, Self.beginning)
                return nil
            case "revoked": return .revoked
            default:
                // Later servers may have further kinds of events.
                if Change.Kind(rawValue: event.type) != nil {
                    changes.append(try JSONDecoder().decode(Change.self, from: Data(event.data)))
                }
                return event.id.flatMap { complete(at: $0) }
            }
        }
    }

    private mutating func complete(at id: String) -> LiveChanges.Element? {
        guard id != Self.beginning else { return nil }
        defer { disconnect() }
        position = id
        if isWhole { return .whole(changes, position: id) }
        return changes.isEmpty ? .bookmark(position: id) : .changes(changes, position: id)
    }
}
