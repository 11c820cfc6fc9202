import Platform

/// Keeps a thread at work for at most a quarter of the time, so that others get at the disk and the processor in
/// between.
///
/// After each piece of work the thread sleeps for three times as long as the piece took. A pause has an end: a machine
/// that is busy with other things makes work slow, and must not make it slower still.
public struct DutyCycle: ~Copyable {
    private var pieceStart = ContinuousClock.now

    private static let longestPause = Duration.milliseconds(20)

    /// Work that begins now.
    public init() {}

    /// Sleeps after a piece of work, on the calling thread.
    public mutating func pause() {
        // A signal that cuts a pause short does no harm.
        Thread.sleep(min(pieceStart.duration(to: .now) * 3, Self.longestPause))
        pieceStart = .now
    }
}
