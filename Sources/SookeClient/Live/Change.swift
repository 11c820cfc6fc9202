/// A change of a record, as the feed gives it.
public struct Change: Sendable {
    /// What happened to the record, for this client.
    public enum Action: String, Codable, Sendable {
        /// The record is new, or has become visible.
        case created
        case updated
        /// The record was deleted, or is no longer visible.
        case deleted
    }

    /// The kind of a record.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case category
        case eventType = "event_type"
        case business
        case event
        case notice
        case settings
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
    let record: (any ReplicaRecord)?
}

extension Change: Decodable {
    /// Decodes the data of an event.
    public init(from decoder: any Decoder) throws {
        try self.init(JSONValue(from: decoder))
    }

    /// Ignores unknown members.
    init(_ json: JSONValue) throws {
        guard case .string(let kind)? = json["kind"], let kind = Kind(rawValue: kind),
            case .string(let action)? = json["action"], let action = Action(rawValue: action),
            case .integer(let id)? = json["id"]
        else { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no change")) }
        (self.kind, self.action, self.id) = (kind, action, id)
        slug = if case .string(let slug)? = json["slug"] { slug } else { "" }
        formerSlug = if case .string(let slug)? = json["former_slug"] { slug } else { nil }
        record = action == .deleted ? nil : try kind.replica.decode(json["record"] ?? .null)
    }
}

/// Assembles the events of a stream into whole commits.
///
/// Only the last event of a commit has an ID, which is the position after the commit. After `reset` the position is 0
/// until the snapshot is complete: a stream that breaks before begins again from the start.
struct CommitAssembler {
    static let beginning = "0"

    private(set) var position: String
    private var changes: [Change] = []
    private var isWhole = false

    init(position: String?) {
        self.position = position ?? Self.beginning
    }

    /// An incomplete commit comes again.
    mutating func disconnect() {
        (changes, isWhole) = ([], false)
    }

    /// Nil when more is to come.
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
                    changes.append(try Change(JSONValue(json: event.data)))
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
