import Bytes

/// A time of day, from `00:00:00` to `24:00:00`, the end of the day.
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

    /// Parses `HH:MM` or `HH:MM:SS`; nil for anything else.
    public init?(_ text: String) {
        guard let seconds = text.withUTF8Bytes({ Self.seconds(UnsafeRawBufferPointer($0)) }) else { return nil }
        self.init(seconds: seconds)
    }

    private static func seconds(_ text: UnsafeRawBufferPointer) -> Int? {
        let count = text.count
        guard count == 5 || count == 8, let hour = twoDigits(text, at: 0), text[2] == UInt8(ascii: ":"),
            let minute = twoDigits(text, at: 3), minute < 60
        else { return nil }
        if count == 5 { return hour * 3600 + minute * 60 }
        guard text[5] == UInt8(ascii: ":"), let second = twoDigits(text, at: 6), second < 60 else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func twoDigits(_ text: UnsafeRawBufferPointer, at place: Int) -> Int? {
        guard let tens = ASCII.decimalValue(text[place]), let ones = ASCII.decimalValue(text[place + 1]) else {
            return nil
        }
        return tens * 10 + ones
    }

    /// The time as `HH:MM:SS`.
    public var text: String {
        var bytes: [UInt8] = []
        bytes.append(clock: seconds)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether one time is before another.
    public static func < (left: ClockTime, right: ClockTime) -> Bool {
        left.seconds < right.seconds
    }
}
