import Bytes
import SookeModel

/// An open state in words, short for a row and as a sentence for a page, with the class that draws its dot.
struct OpenWords: Sendable, Equatable {
    let style: Style
    /// In a row, below a name: `until 1 am`, `Tue 7 am`.
    let short: String
    /// What its dot says beside that, for who does not see it: `open `, `closed, opens `.
    var unseen: String? {
        switch style {
        case .open where short.hasPrefix("until"): "open "
        case .closed where short != "closed": "closed, opens "
        default: nil
        }
    }

    /// On a page: `Open until 1 am`.
    let sentence: String

    /// How its dot looks, by the name of its class.
    enum Style: String, Sendable {
        case open
        case soon
        case closed
        case unknown
    }

    init(_ state: OpenState, _ words: Words) {
        switch state.status {
        case .open, .closingSoon: (style, short, sentence) = Self.open(state, words)
        case .closed, .opensSoon: (style, short, sentence) = Self.closed(state, words)
        case .unknown: (style, short, sentence) = (.unknown, "hours unknown", "Hours unknown")
        }
    }

    private typealias Parts = (style: Style, short: String, sentence: String)

    private static func open(_ state: OpenState, _ words: Words) -> Parts {
        guard let until = state.until else { return (.open, "open", "Open") }
        let time = time(until, isEnd: true, words)
        if state.status == .closingSoon { return (.soon, "closes \(time)", "Closes at \(time)") }
        return (.open, "until \(time)", "Open until \(time)")
    }

    private static func closed(_ state: OpenState, _ words: Words) -> Parts {
        let reason = state.comment.isEmpty ? "" : ": \(state.comment)"
        guard let next = state.nextOpening else { return (.closed, "closed", "Closed\(reason)") }
        let time = time(next, isEnd: false, words)
        if state.status == .opensSoon { return (.soon, "opens \(time)", "Opens at \(time)") }
        return (.closed, time, "Closed\(reason). Opens \(time)")
    }

    /// A time of today, `Tue 7 am` of the six days after it, else `Fri 12 Dec`. The night belongs to the day before it,
    /// when something ends in it.
    private static func time(_ moment: Timestamp, isEnd: Bool, _ words: Words) -> String {
        let (date, minute) = words.local(moment)
        let days = date.daysSinceEpoch - words.today.daysSinceEpoch
        switch days {
        case 0: return Words.time(minute)
        case 1 where isEnd && minute <= 360: return Words.time(minute)
        case 1...6: return "\(Words.short(date)) \(Words.time(minute))"
        default: return words.shortDate(date)
        }
    }
}
