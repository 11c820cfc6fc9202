/// A word, a number or a sign of hours as people write them.
struct HoursNotationToken {
    enum Kind: Equatable {
        /// A day of the week, 0 for Sunday.
        case day(Int)
        /// Some days at once, such as weekdays.
        case days([Int])
        /// The days that no other part names.
        case others
        /// `t` or `s`, which is a day where another word tells which.
        case initial(Character)
        case publicHolidays
        /// A time: minutes since midnight as on a clock with 24 hours, and whether it is one of such a clock.
        case time(minutes: Int, is24Hours: Bool, hasMinutes: Bool)
        case am
        case pm
        case noon
        case midnight
        /// From one to another.
        case to
        /// One and another.
        case and
        /// Between two parts; `isStrong` for more than a comma.
        case separator(isStrong: Bool)
        case closed
        /// The days after it are not among those before it.
        case except
        /// After "closed".
        case wholeDay
        /// A month or a season, which is not supported.
        case season
        case allDay
        /// The end is not known.
        case late
        /// `by appointment`, as it is written.
        case appointment(String)
        /// `open`, which means something beside holidays only.
        case open
        /// Public holidays on which the hours of the other days hold.
        case openHolidays
        /// A word without a meaning of its own, such as `from`.
        case filler
        case end
    }

    var kind: Kind
    /// From 1.
    let position: Int
}
