/// How a journal behaves where there is a choice.
public struct JournalOptions: Sendable {
    /// A segment of the log that has reached this many bytes is sealed and a new one begun. 64 MiB by default.
    public var segmentBytes = 64 << 20

    /// How far back the history reaches at least, in seconds: so long any state can be built again, and is known who
    /// changed what. 30 days by default.
    public var keepHistorySeconds = 30 * 86_400

    /// What the disk may spoil at once when the power goes: batches never share so many bytes. A power of two, 512 by
    /// default; 1 trusts the disk to leave the bytes in front of an unfinished write alone.
    public var sectorBytes = 512

    /// So many bytes of a segment are reserved at a time, which makes a sync cheaper; 0 for none. 256 KiB by default.
    public var reservedBytes = 256 << 10

    /// The identity of a new store; drawn at random when it is nil.
    var identity: String?

    /// Mistakes to make on purpose; the tests show that they are found.
    var sabotage: Sabotage = []

    /// The defaults.
    public init() {}

    struct Sabotage: OptionSet, Sendable {
        let rawValue: Int
        /// Answers a batch without having synced it.
        static let answerBeforeSync = Sabotage(rawValue: 1)
        /// Gives a new file its name before its bytes are synced.
        static let renameBeforeSync = Sabotage(rawValue: 2)
        /// Cuts the log to the length that reads well, whatever follows.
        static let cutByLength = Sabotage(rawValue: 4)
        /// Goes on after an unclean stop with what the page cache says of the last segment.
        static let trustPageCache = Sabotage(rawValue: 8)
    }
}
