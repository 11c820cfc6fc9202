import Foundation

/// Dates as the screen shows them, in the time zone of the terminal.
enum Moment {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A day: "Mon 23 Nov".
    static func day(_ date: Date) -> String {
        let parts = Calendar.current.dateComponents([.weekday, .day, .month], from: date)
        return "\(days[(parts.weekday ?? 1) - 1]) \(parts.day ?? 0) \(months[(parts.month ?? 1) - 1])"
    }

    /// A time of day: "4:12 pm", "noon".
    static func time(_ date: Date) -> String {
        let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
        let (hour, minute) = (parts.hour ?? 0, parts.minute ?? 0)
        let text = { (number: Int) in (number < 10 ? "0" : "") + "\(number)" }
        return "\(text(hour)):\(text(minute)):00".spoken
    }
}

extension String {
    /// The date of an RFC 3339 text in UTC; nil for other text.
    var date: Date? { try? Date(self, strategy: .iso8601) }
}
