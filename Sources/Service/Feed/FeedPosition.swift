import Bytes
import Platform
import Store

/// A position in the feed: the last commit that a client has, and what it could see until then.
///
/// Its text is the sequence number of the commit and its code (see `StoreKey`), such as `120.3fa9c0de12345678`. For
/// a client with an account, what it could see follows: `.all`, or the ID of the account. Another account cannot
/// continue from there, because it lacks records that it may see.
///
/// For the owner of the data folder the chain of the commits stands in place of the code, as in the log.
package struct FeedPosition: Sendable, Hashable, CustomStringConvertible {
    package let sequence: Int
    /// Or the chain up to it.
    private let code: UInt64
    package let scope: Viewer.Scope

    /// The key is nil for the owner of the data folder.
    package init(_ commit: HistoryPosition, _ scope: Viewer.Scope, _ key: StoreKey?) {
        self.init(commit.sequence, key?.code(of: commit) ?? commit.chain.bits, scope)
    }

    private init(_ sequence: Int, _ code: UInt64, _ scope: Viewer.Scope) {
        (self.sequence, self.code, self.scope) = (sequence, code, scope)
    }

    package init?(_ text: String) {
        guard text.utf8.count <= 100 else { return nil }
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        // Both kinds of digits have the same form.
        guard parts.count > 1, let commit = HistoryPosition("\(parts[0]).\(parts[1])") else { return nil }
        let code = commit.chain.bits
        switch parts.count > 2 ? parts[2] : nil {
        case nil: self.init(commit.sequence, code, .anyone)
        case "all": self.init(commit.sequence, code, .all)
        case let id?:
            guard let person = Int(id), "\(person)" == id else { return nil }
            self.init(commit.sequence, code, .person(person))
        }
    }

    /// Nil when the commits after it are not in memory, or it is not one of this town. Super admins may also name a
    /// chain, which `status` shows.
    package func commit(in version: Version, for viewer: Viewer, _ key: StoreKey) -> HistoryPosition? {
        guard let commit = version.position(at: sequence) else { return nil }
        let isChain = viewer.mayKnowChain && code == commit.chain.bits
        return isChain || code == key.code(of: commit) ? commit : nil
    }

    package var description: String {
        var text = [UInt8]("\(sequence).".utf8)
        text.append(hex: code)
        let digits = String(decoding: text, as: UTF8.self)
        return switch scope {
        case .anyone: digits
        case .person(let id): "\(digits).\(id)"
        case .all: "\(digits).all"
        }
    }
}

extension Viewer {
    /// The owner of the data folder may also continue from the position of a commit, which `status` shows.
    func canContinue(from position: FeedPosition) -> Bool {
        position.scope == scope || position.scope == .anyone && scope == .all && !hasAccount
    }
}

extension TownService {
    /// Nil when the client must begin again with a snapshot: the commits after the position are not in memory, it is
    /// not one of this town, or the client could see other records then than now.
    package func resume(from position: FeedPosition, for viewer: Viewer, in version: Version) -> HistoryPosition? {
        guard viewer.canContinue(from: position), let commit = position.commit(in: version, for: viewer, key),
            viewer.hasSteadyRights(in: version, after: commit)
        else { return nil }
        return commit
    }

    /// As a client gets it; the owner of the data folder as the log has it.
    package func position(_ commit: HistoryPosition, for viewer: Viewer) -> FeedPosition {
        let isOwner = viewer.scope == .all && !viewer.hasAccount
        return FeedPosition(commit, isOwner ? .anyone : viewer.scope, isOwner ? nil : key)
    }

    /// As those see it who may see only what is public: the same for equal positions.
    package func publicPosition(_ position: HistoryPosition) -> String {
        "\(FeedPosition(position, .anyone, key))"
    }
}
