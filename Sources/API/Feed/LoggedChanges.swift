import Dispatcher
import HTTP
import Journal
import Service
import Store

/// The changes of commits in the log, and whole versions, as the feed gives them to those who see everything.
public struct LoggedChanges: Sendable {
    private let topics: ChangeTopics
    private let viewer = Viewer(.owner, in: Community())

    /// All changes, or those of some topics, such as `business,zeds-diner`.
    ///
    /// - Throws: 400 for too many or empty topics.
    public init(topics: String?) throws(HTTPError) {
        self.topics = try ChangeTopics(topics)
    }

    /// The changes of a commit as JSON, each an object; nil for a commit from before the log had what it needs.
    ///
    /// - Throws: for content that the store does not write.
    public func json(of commit: LoggedCommit) throws(StoredRecordError) -> [[UInt8]]? {
        try ChangeSet(commit).map { ChangeReader.changes(of: $0, for: viewer).of(topics).items.map(\.json) }
    }

    /// A whole version as changes that create its records, as JSON, in the order of the feed.
    public func creating(_ version: Version) -> some Sequence<[UInt8]> {
        sequence(state: WholeVersion(version, for: viewer, topics)) { $0.next()?.items.map(\.json) }.lazy.joined()
    }
}
