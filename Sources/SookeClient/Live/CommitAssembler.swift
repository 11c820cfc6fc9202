import Foundation

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
