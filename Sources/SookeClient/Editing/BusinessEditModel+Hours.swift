extension EditModel where Draft == BusinessDraft {
    /// What is wrong with the hours of a day, 0 for Sunday to 6 for Saturday; nil if nothing is known to be.
    public func problem(ofHoursOn dayOfWeek: Int) -> String? {
        // Problems are at places of the list, by day.
        guard let index = draft.hours.firstIndex(where: { $0.dayOfWeek == dayOfWeek }) else { return nil }
        let fields = [("", ""), (".open_time", "the opening time "), (".close_time", "the closing time ")]
        for (field, name) in fields + [(".day_of_week", "the day ")] {
            if let message = problems["hours[\(index)]\(field)"] { return name + message }
        }
        return nil
    }
}
