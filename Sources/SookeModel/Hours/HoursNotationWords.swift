/// The words in hours as people write them, in English, and those of French and German signs.
enum HoursNotationWords {
    /// What a word in lower case means; nil when it is none.
    static func kind(of word: String) -> HoursNotationToken.Kind? {
        if let kind = words[word] { return kind }
        if let day = day(word) { return .day(day) }
        return isSeason(word) ? .season : nil
    }

    /// Names of days by at least two letters, perhaps in the plural.
    private static func day(_ word: String) -> Int? {
        let name = word.count > 4 && word.hasSuffix("s") && !word.hasSuffix("us") ? String(word.dropLast()) : word
        guard name.count >= 2 else { return nil }
        return OpeningHoursParser.days.firstIndex { $0.hasPrefix(word) || $0.hasPrefix(name) }
            ?? french.firstIndex { name.count >= 3 && $0.hasPrefix(name) }
            ?? german.firstIndex { $0 == name || $0.prefix(2) == name }
    }

    /// What follows a word in the phrases for "by appointment", without spaces.
    static let appointments: [String: [String]] = {
        let words = [
            "appointmentonly", "appointmentsonly", "apptonly", "appt.only", "appointments", "appointment", "appt",
        ]
        let by =
            words.flatMap { [$0 + "orchance", $0] } + [
                "chanceorappointment", "request", "reservationonly", "reservation",
            ]
        return [
            "by": by, "or": by.map { "by" + $0 }, "appointment": ["only"], "appointments": ["only"], "appt": ["only"],
            "on": ["appointment", "request"], "upon": ["appointment", "request"], "sur": ["rendez-vous", "rendezvous"],
            "nach": ["terminvereinbarung", "vereinbarung", "absprache"],
            "termin": ["nachvereinbarung", "nachabsprache"],
        ]
    }()

    private static let french = ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"]
    private static let german = [
        "sonntag", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag",
    ]

    /// Whether a word is a month or a season of the year.
    private static func isSeason(_ word: String) -> Bool {
        ["sept", "summer", "winter", "spring", "fall", "autumn", "season", "seasonal"].contains(word)
            || OpeningHoursParser.months.contains { $0 == word || $0.prefix(3) == word }
    }

    private static let everyDay = HoursNotationToken.Kind.days(Array(0...6))

    private static let words: [String: HoursNotationToken.Kind] = [
        "am": .am, "a": .am, "pm": .pm, "p": .pm, "noon": .noon, "midday": .noon, "midnight": .midnight,
        "midi": .noon, "minuit": .midnight,
        "to": .to, "til": .to, "till": .to, "until": .to, "through": .to, "thru": .to, "à": .to, "au": .to, "bis": .to,
        "and": .and, "et": .and, "und": .and,
        "closed": .closed, "off": .closed, "fermé": .closed, "fermée": .closed, "ferme": .closed,
        "geschlossen": .closed, "ruhetag": .closed, "late": .late, "close": .late,
        "except": .except, "excluding": .except, "sauf": .except, "außer": .except,
        "otherwise": .others, "else": .others,
        "m": .day(1), "w": .day(3), "f": .day(5), "t": .initial("t"), "s": .initial("s"),
        "weds": .day(3), "tues": .day(2), "thur": .day(4), "thurs": .day(4),
        "mwf": .days([1, 3, 5]), "mw": .days([1, 3]), "wf": .days([3, 5]), "tth": .days([2, 4]),
        "tuth": .days([2, 4]), "mtwthf": .days(Array(1...5)), "mtwtf": .days(Array(1...5)),
        "daily": everyDay, "everyday": everyDay, "day": everyDay, "täglich": everyDay,
        "weekdays": .days(Array(1...5)), "weekday": .days(Array(1...5)), "weekends": .days([0, 6]),
        "weekend": .days([0, 6]),
        "holidays": .publicHolidays, "holiday": .publicHolidays, "ph": .publicHolidays, "fériés": .publicHolidays,
        "feiertage": .publicHolidays,
        "open": .open, "ouvert": .open, "geöffnet": .open, "from": .filler, "hours": .filler, "hrs": .filler,
        "on": .filler, "the": .filler,
        "stat": .filler, "statutory": .filler, "public": .filler, "every": .filler, "uhr": .filler, "h": .filler,
        "de": .filler, "du": .filler, "le": .filler, "jours": .filler, "von": .filler,
        // The hours are local ones.
        "pst": .filler, "pdt": .filler, "pt": .filler, "mst": .filler, "mdt": .filler, "mt": .filler, "cst": .filler,
        "cdt": .filler, "ct": .filler, "est": .filler, "edt": .filler, "cet": .filler, "cest": .filler,
    ]
}
