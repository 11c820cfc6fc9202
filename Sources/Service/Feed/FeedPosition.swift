import Store

/// A position in the feed: the last commit that a client has, and what it could see until then.
///
/// Its text is the position of the commit, such as `120.3fa9c0de12345678`. For a client with an account, what it could
/// see follows: `.all`, or the ID of the account. Another account cannot continue from there, because it lacks records
/// that it may see.
public struct FeedPosition: Sendable, Hashable, CustomStringConvertible {
    /// The position of the commit.
    public let commit: HistoryPosition
    /// What the client could see.
    public let scope: Viewer.Scope

    /// A position of clients that could see what a scope includes.
    public init(_ commit: HistoryPosition, _ scope: Viewer.Scope) {
        (self.commit, self.scope) = (commit, scope)
    }

    /// Parses a position; nil for any other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count > 1, let commit = HistoryPosition("\(parts[0]).\(parts[1])") else { return nil }
        switch parts.count > 2 ? parts[2] : nil {
        case nil: self.init(commit, .anyone)
        case "all": self.init(commit, .all)
        case let id?:
            guard let person = Int(id), "\(person)" == id else { return nil }
            self.init(commit, .person(person))
        }
    }

    /// The text of the position.
    public var description: String {
        switch scope {
        case .anyone: "\(commit)"
        case .person(let id): "\(commit).\(id)"
        case .all: "\(commit).all"
        }
    }
}

extension Viewer {
    /// Whether the client could see until a position what it may see now.
    ///
    /// The owner of the data folder may also continue from the position of a commit, which `status` shows.
    public func canContinue(from position: FeedPosition) -> Bool {
        position.scope == scope || position.scope == .anyone && scope == .all && !hasAccount
    }
}
