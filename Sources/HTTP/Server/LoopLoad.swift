/// How busy an event loop is, by the time that it does not wait for events. Times are nanoseconds.
struct LoopLoad {
    /// The time over which it is measured.
    private static let window = 250_000_000

    /// Whether it was busy for more than half of the last window.
    private(set) var isBusy = false
    private var start: Int
    private var waited = 0

    init(now: Int) {
        start = now
    }

    /// The loop has waited for events.
    mutating func waited(from begin: Int, until now: Int) {
        waited += now - begin
        let elapsed = now - start
        guard elapsed >= Self.window else { return }
        isBusy = 2 * (elapsed - waited) > elapsed
        (start, waited) = (now, 0)
    }
}
