/// How long to wait before connecting again.
///
/// The delay doubles with each failure, up to half a minute, and is drawn at random from its upper half, so that the
/// clients of a server that restarts do not come at the same time. After a stream that the server ended there is no
/// delay, once.
struct ReconnectDelay {
    private static let shortest = Duration.milliseconds(500)
    private static let longest = Duration.seconds(30)
    /// A server that asks for a longer delay is asked again after this time.
    private static let longestAsked = 3600

    private let random: @Sendable () -> Double
    private var failures = 0
    private var mayConnectAtOnce = false

    /// - Parameter random: returns numbers from 0 up to, but not including, 1.
    init(random: @escaping @Sendable () -> Double) {
        self.random = random
    }

    /// The stream delivers events.
    mutating func succeed() {
        (failures, mayConnectAtOnce) = (0, true)
    }

    /// The delay after the server ended a stream without an error; nil for none.
    mutating func afterEnd() -> Duration? {
        guard mayConnectAtOnce else { return afterFailure() }
        mayConnectAtOnce = false
        return nil
    }

    /// The delay after an error.
    ///
    /// - Parameter seconds: the delay that the server asked for, which is not shortened.
    mutating func afterFailure(askedFor seconds: Int? = nil) -> Duration {
        mayConnectAtOnce = false
        let delay = min(Self.longest, Self.shortest * (1 << min(failures, 10)))
        failures += 1
        let drawn = delay * (0.5 + random() / 2)
        guard let seconds else { return drawn }
        return .seconds(min(max(seconds, 0), Self.longestAsked)) + drawn
    }
}
