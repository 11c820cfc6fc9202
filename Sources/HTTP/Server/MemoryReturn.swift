/// Decides when freed memory is returned to the system: the allocator keeps what lies between blocks in use, so after
/// many clients with unsent output have left, their memory would remain for ever.
///
/// It is due some time after the memory that clients occupy has fallen by half. Times are monotonic nanoseconds.
struct MemoryReturn {
    /// Returning less than this, in bytes, is not worth the time.
    private static let least = 4 * 1024 * 1024
    /// The time in which the rest of the clients may leave.
    private static let delay = 500_000_000

    private var peak = 0
    /// When `isDue` should be called next; `Int.max` while memory has not fallen.
    private(set) var next = Int.max

    /// Clients occupy so many bytes, and are about to occupy less.
    mutating func willFall(from bytes: Int, now: Int) {
        peak = max(peak, bytes)
        if next == .max { next = now + Self.delay }
    }

    /// Whether memory should be returned now; called at `next` with what clients occupy.
    mutating func isDue(_ bytes: Int, now: Int) -> Bool {
        guard now >= next else { return false }
        next = .max
        guard peak - bytes >= Self.least, bytes <= peak / 2 else { return false }
        peak = bytes
        return true
    }
}
