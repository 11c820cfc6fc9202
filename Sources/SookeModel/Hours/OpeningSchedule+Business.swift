extension OpeningSchedule {
    /// The hours of a business.
    ///
    /// - Parameters:
    ///   - week: its weekly hours.
    ///   - text: its hours in the syntax of OpenStreetMap, which count instead.
    ///   - special: its special hours, which count instead of both.
    public init(week: [DayHours], text: String?, special: [SpecialHours]) {
        // A text that an earlier version accepted may not be valid any more.
        let hours = text.map { (try? OpeningHours($0)) ?? OpeningHours(unreadable: $0) }
        self.init(base: hours ?? (week.isEmpty ? nil : OpeningHours(week: week)), special: HoursRule.special(special))
    }
}
