import Bytes

/// One occurrence of an event.
public struct Occurrence: Sendable, Hashable {
    /// Its start.
    public let startsAt: Timestamp
    /// Its end; nil when the event has none.
    public let endsAt: Timestamp?
    /// The start that the series gives it, which identifies it; different from `startsAt` when it was moved.
    public let original: Timestamp
    /// Whether it alone is cancelled.
    public let isCancelled: Bool

    /// An occurrence.
    public init(startsAt: Timestamp, endsAt: Timestamp?, original: Timestamp? = nil, isCancelled: Bool = false) {
        (self.startsAt, self.endsAt, self.isCancelled) = (startsAt, endsAt, isCancelled)
        self.original = original ?? startsAt
    }

    /// Its end, or its start if it has no end.
    public var effectiveEnd: Timestamp { endsAt ?? startsAt }

    /// Whether it was moved in time.
    public var isMoved: Bool { startsAt != original }
}

extension Occurrence {
    /// Whether it comes before another: by start, then by original start.
    static func precedes(_ left: Occurrence, _ right: Occurrence) -> Bool {
        (left.startsAt, left.original) < (right.startsAt, right.original)
    }
}
