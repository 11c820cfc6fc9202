extension String {
    /// A time of day `HH:MM:SS` for people, as in "9:30 AM"; other text is returned as it is.
    public var formattedAsTime: String {
        guard let seconds = secondsOfDay else { return self }
        let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60)
        return "\(hour % 12 == 0 ? 12 : hour % 12):\(minute < 10 ? "0" : "")\(minute) \(hour < 12 ? "AM" : "PM")"
    }

    /// The seconds since midnight of a time `HH:MM:SS` up to `24:00:00`; nil for other text.
    var secondsOfDay: Int? {
        let bytes = Array(utf8)
        guard bytes.count == 8, bytes[2] == UInt8(ascii: ":"), bytes[5] == UInt8(ascii: ":") else { return nil }
        let digits = [0, 1, 3, 4, 6, 7].map { Int(bytes[$0]) - Int(UInt8(ascii: "0")) }
        guard digits.allSatisfy({ 0...9 ~= $0 }), digits[2] < 6, digits[4] < 6 else { return nil }
        let hours = digits[0] * 10 + digits[1]
        let rest = (digits[2] * 10 + digits[3]) * 60 + digits[4] * 10 + digits[5]
        return hours < 24 || hours == 24 && rest == 0 ? hours * 3600 + rest : nil
    }
}
