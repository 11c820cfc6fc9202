import Platform

/// Limits a thread to a quarter of the time, so that other threads can use the disk and the processor in between.
///
/// After each piece of work the thread sleeps for three times as long as the piece took. Pauses are limited: on a busy
/// machine the work is slow already and must not become slower still.
package struct DutyCycle: ~Copyable {
    private var pieceStart = ContinuousClock.now

    private static let longestPause = Duration.milliseconds(20)

    package init() {}

    /// Sleeps after a piece of work, on the calling thread.
    package mutating func pause() {
        // A signal that ends a pause early is harmless.
        Thread.sleep(min(pieceStart.duration(to: .now) * 3, Self.longestPause))
        pieceStart = .now
    }
}
