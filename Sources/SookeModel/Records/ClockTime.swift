import Bytes

/// A time of day on the wall clock, from `00:00:00` to `24:00:00`, the end of the day.
public struct ClockTime: Sendable, Hashable, Comparable {
    /// Seconds since midnight, 0 to 86,400.
    public let seconds: Int

    /// The start of a day.
    public static let midnight = ClockTime(unchecked: 0)
    /// The end of a day.
    public static let endOfDay = ClockTime(unchecked: 86_400)

    private init(unchecked seconds: Int) {
        self.seconds = seconds
    }

    /// The time `seconds` after midnight, or nil outside the day.
    public init?(seconds: Int) {
        guard 0...86_400 ~= seconds else { return nil }
        self.seconds = seconds
    }

    /// Reads `HH:MM` or `HH:MM:SS`; nil for anything else.
    public init?(_ text: String) {
        var numbers: [Int] = []
        for part in text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
            guard part.count == 2, part.allSatisfy(ASCII.isDigit) else { return nil }
            numbers.append(part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
        }
        guard 2...3 ~= numbers.count, numbers[1] < 60, numbers.count == 2 || numbers[2] < 60 else { return nil }
        self.init(seconds: numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0))
    }

    /// The time as `HH:MM:SS`.
    public var text: String {
        var bytes: [UInt8] = []
        bytes.append(clock: seconds)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether one time lies before another.
    public static func < (left: ClockTime, right: ClockTime) -> Bool {
        left.seconds < right.seconds
    }
}
