/// How a journal behaves where there is a choice.
public struct JournalOptions: Sendable {
    /// A segment of the log that has reached this many bytes is sealed and a new one begun. 64 MiB by default.
    public var segmentBytes = 64 << 20

    /// Whether old history is dropped.
    public enum Pruning: Sendable, Hashable {
        /// Nothing is.
        case never
        /// What is older than so many seconds: so long any state can be built again, and it is known who changed what.
        /// The number is stored in the folder; nil is the one that is stored there, or 30 days.
        case olderThan(Int?)
    }

    /// Whether old history is dropped: only a server does that. Never by default.
    public var pruning = Pruning.never

    /// Seconds that have passed since some moment, by a clock that nobody can set.
    public var elapsedSeconds: @Sendable () -> Int = JournalOptions.systemSeconds

    private static let systemStart = ContinuousClock.now
    private static let systemSeconds: @Sendable () -> Int = { Int(systemStart.duration(to: .now) / .seconds(1)) }

    /// What the disk may spoil at once when the power goes: batches never share so many bytes. A power of two, 512 by
    /// default; 1 trusts the disk to leave the bytes in front of an unfinished write alone.
    public var sectorBytes = 512

    /// So many bytes of a segment are reserved at a time, which makes a sync cheaper; 0 for none. 256 KiB by default.
    public var reservedBytes = 256 << 10

    /// The identity of a new store; drawn at random when it is nil.
    var identity: String?

    /// Mistakes to make on purpose; the tests show that they are found.
    var failpoints: Failpoints = []

    /// The defaults.
    public init() {}

    struct Failpoints: OptionSet, Sendable {
        let rawValue: Int
        /// Answers a batch without having synced it.
        static let acknowledgeBeforeSync = Failpoints(rawValue: 1)
        /// Gives a new file its name before its bytes are synced.
        static let renameBeforeSync = Failpoints(rawValue: 2)
        /// Cuts the log to the length that reads well, whatever follows.
        static let cutByLength = Failpoints(rawValue: 4)
        /// Goes on after an unclean stop with what the page cache says of the last segment.
        static let trustPageCache = Failpoints(rawValue: 8)
    }
}
