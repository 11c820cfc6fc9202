/// A time from an opening to a closing, as it is written: it may not say in which half of the day they are.
struct HoursNotationSpan {
    struct Time {
        enum Kind {
            /// With `am` or `pm`, or noon.
            case stated
            /// Of a clock with 24 hours: `09:00` or `17:30`.
            case clock
            /// An hour from 1 to 12 in one of the halves of the day.
            case open
        }

        var kind: Kind
        /// Minutes since midnight, as on a clock with 24 hours.
        let minutes: Int
        var hasMinutes = false

        var inMorning: Int { minutes % 720 }
        var inAfternoon: Int { minutes % 720 + 720 }
    }

    private var start: Time
    private var end: Time?

    /// - Parameter end: nil when it is not known.
    init(from start: Time, to end: Time?) {
        (self.start, self.end) = (start, end)
        // A clock with 24 hours shows both times.
        if start.kind == .clock || end?.kind == .clock {
            if start.kind == .open { self.start.kind = .clock }
            if end?.kind == .open { self.end?.kind = .clock }
        }
    }

    /// When a business opens at the earliest, if it does not say in which half of the day.
    private static let earliest = 6 * 60
    private static let longest = 18 * 60

    /// The times of a day in their order; nil when they can mean two things, or overlap.
    static func times(of spans: [HoursNotationSpan]) -> [TimeSpan]? {
        if let times = times(inOrder: spans) { return times }
        // In any order where each says all about itself.
        guard spans.count > 1, spans.allSatisfy({ $0.start.kind != .open && $0.end?.kind != .open }) else { return nil }
        return times(inOrder: spans.sorted { $0.start.minutes < $1.start.minutes })
    }

    private static func times(inOrder spans: [HoursNotationSpan]) -> [TimeSpan]? {
        var (times, last): ([TimeSpan], Int) = ([], 0)
        for (index, span) in spans.enumerated() {
            guard let time = span.time(after: last, isLast: index == spans.count - 1), time.start >= last else {
                return nil
            }
            times.append(time)
            last = time.end
        }
        return times
    }

    /// What it means in a sensible day, after the end of an earlier time; nil when that can be two things.
    private func time(after last: Int, isLast: Bool) -> TimeSpan? {
        let openings = openings.filter { $0 >= last }
        guard let opening = openings.first else { return nil }
        guard let end else { return openings.count == 1 ? TimeSpan(opening, 1440, isOpenEnded: true) : nil }
        var found: [TimeSpan]
        switch (start.kind, end.kind) {
        case (.open, .open): return time(from: opening, to: end, isLast: isLast)
        case (.open, _):
            found = openings.map { Self.span($0, end.minutes) }
                .filter { $0.end - $0.start <= ($0.start < 720 ? Self.longest : 720) }
            if found.isEmpty, start.inMorning < end.minutes { found = [TimeSpan(start.inMorning, end.minutes)] }
        case (_, .open):
            // What opens in the morning does not close on the next day, and 12 is noon then.
            if opening < 720, end.inMorning == 0 { return TimeSpan(opening, 720) }
            found = [end.inMorning, end.inAfternoon].map { Self.span(opening, $0) }
                .filter { opening < 720 ? $0.end <= 1440 : $0.end - $0.start <= 720 }
        default:
            let span = Self.span(opening, end.minutes)
            let length = span.end - span.start
            // 08:00-05:00 is neither 21 hours nor surely an afternoon.
            found = start.kind == .clock && length > Self.longest && span.end > 1440 && length < 1440 ? [] : [span]
        }
        return found.count == 1 ? found[0] : nil
    }

    private var openings: [Int] {
        guard start.kind == .open else { return [start.minutes] }
        return (start.inMorning >= Self.earliest ? [start.inMorning] : []) + [start.inAfternoon]
    }

    /// `9-5` from its opening.
    private func time(from opening: Int, to end: Time, isLast: Bool) -> TimeSpan? {
        // 9:00-9:00 may be all day.
        if start.hasMinutes || end.hasMinutes, start.inMorning == end.inMorning { return nil }
        if opening >= 720 {
            return TimeSpan(opening, end.inAfternoon > opening ? end.inAfternoon : end.inMorning + 1440)
        }
        if end.inMorning == 0 { return TimeSpan(opening, 720) }
        if end.inMorning <= opening { return TimeSpan(opening, end.inAfternoon) }
        return isLast ? nil : TimeSpan(opening, end.inMorning)
    }

    private static func span(_ start: Int, _ end: Int) -> TimeSpan {
        TimeSpan(start, end > start ? end : end + 1440)
    }
}
