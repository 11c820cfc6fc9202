import Bytes
import SookeModel

/// An open state in words, short for a row and as a sentence for a page, with the class that draws its dot.
struct OpenWords: Sendable, Equatable {
    let style: Style
    /// In a row, beside a name: `until 1 am`, `opens Tue 7 am`.
    let short: String
    /// What its dot says beside that, for who does not see it: `open `, `closed, `.
    var unseen: String? {
        switch style {
        case .open where short.hasPrefix("until"): "open "
        case .closed where short != "closed": "closed, "
        default: nil
        }
    }

    /// On a page: `Open until 1 am`.
    let sentence: String

    enum Style: String, Sendable {
        case open
        case soon
        case closed
        case unknown
        /// As `soon`, in words that need a line of their own.
        case unconfirmed = "soon unconfirmed"
    }

    init(_ state: OpenState, _ words: Words) {
        if let holiday = state.unconfirmed {
            (style, short, sentence) = Self.usual(state, " · " + Words.unconfirmed(for: [holiday]), words)
            return
        }
        switch state.status {
        case .open, .closingSoon: (style, short, sentence) = Self.open(state, words)
        case .closed, .opensSoon: (style, short, sentence) = Self.closed(state, words)
        case .unknown: (style, short, sentence) = (.unknown, "hours unknown", "Hours unknown")
        }
    }

    private typealias Parts = (style: Style, short: String, sentence: String)

    /// The usual opening hours on a holiday that they do not mention.
    private static func usual(_ state: OpenState, _ doubt: String, _ words: Words) -> Parts {
        if state.isOpen == true {
            let until = (state.confirmationChange ?? state.until).map { " until \(time($0, isEnd: true, words))" }
            return (.unconfirmed, "usually\(until ?? " open")\(doubt)", "Usually open\(until ?? "")\(doubt)")
        }
        let next = state.nextOpening.map { time in
            let isTomorrow = words.local(time).date == words.today.advanced(by: 1)
            return isTomorrow ? "tomorrow \(words.time(time))" : self.time(time, isEnd: false, words)
        }
        let (opens, reason) = ("opens \(next ?? "")\(doubt)", state.comment.isEmpty ? "" : ": \(state.comment)")
        return (.unconfirmed, "usually \(opens)", "Closed\(reason). Usually \(opens)")
    }

    private static func open(_ state: OpenState, _ words: Words) -> Parts {
        if let change = state.confirmationChange {
            let until = time(change, isEnd: true, words)
            return (.open, "until \(until)", "Open until \(until)")
        }
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
        return (.closed, "opens \(time)", "Closed\(reason). Opens \(time)")
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
