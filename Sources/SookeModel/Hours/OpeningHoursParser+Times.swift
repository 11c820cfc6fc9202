/// Times of a day.
extension OpeningHoursParser {
    private static let events = ["sunrise", "sunset", "dawn", "dusk"]

    mutating func times(_ rule: inout HoursRule) throws(OpeningHoursError) {
        while true {
            let start = scanner.index
            guard let opening = try time() else { return }
            rule.times.append(try span(from: opening, at: start))
            guard rule.times.count < Self.limit else { throw scanner.error("fewer times") }
            let separator = scanner.index
            guard scanner.skip(",") else { return }
            let next = scanner.index
            let isTime = try time() != nil
            scanner.goBack(to: isTime ? next : separator)
            if !isTime { return }
        }
    }

    private mutating func span(from start: Time, at index: Int) throws(OpeningHoursError) -> TimeSpan {
        guard start.minutes < 1440 || isRare else { throw scanner.error("a start before 24:00") }
        if !start.isHour, scanner.skip("+") {
            return TimeSpan(start.minutes, max(1440, start.minutes + 1), isOpenEnded: true)
        }
        guard scanner.skip("-") else { throw scanner.error("\"-\" and the time of closing") }
        guard let closing = try time() else { throw scanner.error("a time such as 17:00") }
        if start.isHour || closing.isHour, !Self.isClear(start.minutes, closing.minutes) {
            scanner.goBack(to: index)
            throw scanner.error("times with minutes, such as 09:00-17:00,")
        }
        let end = closing.minutes <= start.minutes ? closing.minutes + 1440 : closing.minutes
        guard end - start.minutes <= 1440 || isRare else { throw scanner.error("at most 24 hours before this") }
        let isOpenEnded = scanner.skip("+")
        if scanner.skip("/") {
            isRare = true
            guard scanner.skipTime() != nil || scanner.skipNumber(in: 1...999, digits: 1...3) != nil else {
                throw scanner.error("a number of minutes")
            }
        }
        return TimeSpan(start.minutes, end, isOpenEnded: isOpenEnded)
    }

    /// Whether hours without minutes, such as `8-17`, can only be those of a clock with 24 hours: not `9-5` or `1-5`.
    private static func isClear(_ start: Int, _ end: Int) -> Bool {
        start < end && (start == 0 || start >= 360 || end > 720)
    }

    private struct Time {
        /// Since midnight.
        let minutes: Int
        /// Whether it is an hour without minutes.
        var isHour = false
    }

    /// A time; nil when none is next. Sunrise and the like are noon, and make the whole rare.
    private mutating func time() throws(OpeningHoursError) -> Time? {
        if let minutes = scanner.skipTime() { return Time(minutes: minutes) }
        if let minutes = scanner.skipHour() { return Time(minutes: minutes, isHour: true) }
        let isGroup = scanner.skip("(")
        guard Self.events.contains(scanner.nextWord()) else {
            if isGroup { throw scanner.error("sunrise, sunset, dawn or dusk") }
            return nil
        }
        _ = scanner.skip(oneOf: Self.events, shortest: 4)
        isRare = true
        if isGroup {
            guard scanner.skip("+") || scanner.skip("-"), scanner.skipTime() != nil, scanner.skip(")") else {
                throw scanner.error("an offset such as +01:00, and \")\"")
            }
        }
        return Time(minutes: 720)
    }
}
