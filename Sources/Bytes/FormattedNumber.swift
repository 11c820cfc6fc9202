public enum FormattedNumber {
    /// A number of bytes in decimal units: `999 B`, `1.2 kB`, `12 MB`.
    public static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) B" }
        var number = Double(count) / 1000
        var units = ["kB", "MB", "GB", "TB", "PB", "EB"][...]
        // A number that would be rounded to a thousand belongs to the next unit.
        while number >= 999.5, units.count > 1 {
            number /= 1000
            units.removeFirst()
        }
        let tenths = Int(clamping: (number * 10).rounded())
        let text = number < 9.95 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(clamping: number.rounded()))"
        return "\(text) \(units.first ?? "")"
    }

    /// A time span: `0.4 s`, `12 s`, `3:05`, `1:02:03`.
    public static func duration(_ duration: Duration) -> String {
        let milliseconds = Int(duration / .milliseconds(1))
        let seconds = (milliseconds + 500) / 1000
        if milliseconds < 9_950 {
            let tenths = (milliseconds + 50) / 100
            return "\(tenths / 10).\(tenths % 10) s"
        }
        if seconds < 60 { return "\(seconds) s" }
        let (minutes, rest) = (seconds / 60 % 60, padded(seconds % 60))
        return seconds < 3600 ? "\(minutes):\(rest)" : "\(seconds / 3600):\(padded(minutes)):\(rest)"
    }

    /// `3 hours ago`, roughly.
    public static func ago(seconds: Int) -> String {
        let minutes = max(0, seconds) / 60
        return switch minutes {
        case 0: "less than a minute ago"
        case ..<120: "\(Count(minutes, "minute")) ago"
        case ..<2880: "\(Count(minutes / 60, "hour")) ago"
        default: "\(Count(minutes / 1440, "day")) ago"
        }
    }

    private static func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
