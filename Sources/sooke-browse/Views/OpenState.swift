import SookeClient
import ViewTree

/// Whether a business is open, as the screen says it: colour and symbol differ.
struct OpenState: Equatable {
    let symbol: String
    let text: String
    /// The text where there is little room; the symbol says the rest.
    let short: String
    let role: TextStyle.Role

    init(_ status: HoursStatus) {
        switch status {
        case .open(let time):
            (symbol, text, short, role) = ("●", "open until \(time.spoken)", "until \(time.spoken)", .open)
        case .closingSoon(let time):
            (symbol, text, short, role) = ("◐", "closes at \(time.spoken)", "until \(time.spoken)", .soon)
        case .opensSoon(let time):
            (symbol, text, short, role) = ("◔", "opens at \(time.spoken)", "from \(time.spoken)", .soon)
        case .closed: (symbol, text, short, role) = ("○", "closed", "closed", .secondary)
        case .unknown: (symbol, text, short, role) = ("?", "hours unknown", "unknown", .secondary)
        }
    }
}

extension BusinessHour {
    /// The hours as people say them: "9:00 am – 5:00 pm", "closed".
    var spoken: String {
        if isClosed { return "closed" }
        if openTime == "00:00:00", closeTime == openTime || closeTime == "24:00:00" { return "open 24 hours" }
        return "\(openTime.spoken) – \(closeTime.spoken)"
    }
}

extension String {
    /// A time of day `HH:MM:SS` as people say it: "1:30 am", "noon".
    var spoken: String {
        switch self {
        case "12:00:00": "noon"
        case "00:00:00", "24:00:00": "midnight"
        default: formattedAsTime.lowercased()
        }
    }
}
