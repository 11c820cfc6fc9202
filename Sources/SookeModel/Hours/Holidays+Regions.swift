extension Holidays {
    /// The regions whose holidays are compiled in, as in settings: `CA-BC`; `none` for a place without holidays.
    public static let regions = known.map(\.region)

    /// What people call a region.
    public static func title(of region: String) -> String { known.first { $0.region == region }?.title ?? region }

    /// The holidays of a region; nil when it is not known.
    public static func of(_ region: String) -> Holidays? {
        // Texts are compared in quadratic time if they have many combining marks.
        guard region.utf8.count <= 5 else { return nil }
        return known.first { $0.region == region }?.holidays()
    }

    /// The region that a zone is in, as far as its name tells; `none` for one elsewhere.
    public static func region(ofZone name: String) -> String {
        known.first { $0.zones.contains { name == "America/\($0)" } }?.region ?? "none"
    }

    /// The provinces and territories of Canada, and the zones there. Holidays are computed when they are first needed.
    private static let known: [(region: String, title: String, zones: [String], holidays: @Sendable () -> Holidays)] = [
        ("CA-AB", "Alberta", ["Edmonton"], { alberta }),
        ("CA-BC", "British Columbia", ["Vancouver", "Dawson_Creek", "Fort_Nelson", "Creston"], { britishColumbia }),
        ("CA-MB", "Manitoba", ["Winnipeg"], { manitoba }),
        ("CA-NB", "New Brunswick", ["Moncton"], { newBrunswick }),
        ("CA-NL", "Newfoundland and Labrador", ["St_Johns", "Goose_Bay"], { newfoundlandAndLabrador }),
        ("CA-NS", "Nova Scotia", ["Halifax", "Glace_Bay"], { novaScotia }),
        ("CA-NT", "Northwest Territories", ["Yellowknife", "Inuvik"], { northwestTerritories }),
        ("CA-NU", "Nunavut", ["Iqaluit", "Rankin_Inlet", "Resolute", "Cambridge_Bay"], { nunavut }),
        ("CA-ON", "Ontario", ["Toronto", "Thunder_Bay", "Nipigon", "Rainy_River", "Atikokan"], { ontario }),
        ("CA-PE", "Prince Edward Island", [], { princeEdwardIsland }),
        ("CA-QC", "Quebec", ["Montreal", "Blanc-Sablon"], { quebec }),
        ("CA-SK", "Saskatchewan", ["Regina", "Swift_Current"], { saskatchewan }),
        ("CA-YT", "Yukon", ["Whitehorse", "Dawson"], { yukon }), ("none", "No public holidays", [], { none }),
    ]

    public static let none = Holidays([Holiday]())

    // What employers give by law in each province and territory, not what is only customary, or on another day.

    static let alberta = Holidays(everywhere + [.familyDay(from: 1990), .victoriaDay, .thanksgiving, .remembranceDay])

    /// Employment Standards Act, RSBC 1996, c. 113, section 1, and its earlier versions.
    public static let britishColumbia = Holidays(
        everywhere + [
            Holiday("Family Day", .ordinal(2, dayOfWeek: 1, month: 2), 2013...2018), .familyDay(from: 2019),
            .victoriaDay,
            Holiday("British Columbia Day", .ordinal(1, dayOfWeek: 1, month: 8)), .truthAndReconciliation(from: 2023),
            .thanksgiving, .remembranceDay,
        ])

    static let manitoba = Holidays(
        everywhere + [
            Holiday("Louis Riel Day", .ordinal(3, dayOfWeek: 1, month: 2), 2008...Int.max), .victoriaDay,
            .truthAndReconciliation(from: 2024), .thanksgiving,
        ])

    static let newBrunswick = Holidays(
        everywhere + [
            .familyDay(from: 2018), Holiday("New Brunswick Day", .ordinal(1, dayOfWeek: 1, month: 8)), .remembranceDay,
        ])

    static let newfoundlandAndLabrador = Holidays(everywhere + [.remembranceDay])

    static let novaScotia = Holidays(
        everywhere + [Holiday("Heritage Day", .ordinal(3, dayOfWeek: 1, month: 2), 2015...Int.max), .remembranceDay])

    static let northwestTerritories = Holidays(
        everywhere + [
            .victoriaDay, .indigenousPeoplesDay(from: 2001), .civicHoliday, .truthAndReconciliation(from: 2022),
            .thanksgiving, .remembranceDay,
        ])

    static let nunavut = Holidays(
        everywhere + [
            .victoriaDay, Holiday("Nunavut Day", .fixed(month: 7, day: 9), 2020...Int.max), .civicHoliday,
            .truthAndReconciliation(from: 2022), .thanksgiving, .remembranceDay,
        ])

    static let ontario = Holidays(
        everywhere + [
            .familyDay(from: 2008), .victoriaDay, .thanksgiving, Holiday("Boxing Day", .fixed(month: 12, day: 26)),
        ])

    static let princeEdwardIsland = Holidays(
        everywhere + [
            Holiday("Islander Day", .ordinal(2, dayOfWeek: 1, month: 2), 2009...2009),
            Holiday("Islander Day", .ordinal(3, dayOfWeek: 1, month: 2), 2010...Int.max),
            .truthAndReconciliation(from: 2022), .remembranceDay,
        ])

    static let quebec = Holidays(
        everywhere + [
            Holiday("National Patriots' Day", .before(dayOfWeek: 1, month: 5, day: 25), 2003...Int.max),
            Holiday("Saint Jean Baptiste Day", .fixed(month: 6, day: 24)), .thanksgiving,
        ])

    static let saskatchewan = Holidays(
        everywhere + [
            .familyDay(from: 2007), .victoriaDay, Holiday("Saskatchewan Day", .ordinal(1, dayOfWeek: 1, month: 8)),
            .thanksgiving, .remembranceDay,
        ])

    static let yukon = Holidays(
        everywhere + [
            .victoriaDay, .indigenousPeoplesDay(from: 2017),
            Holiday("Discovery Day", .ordinal(3, dayOfWeek: 1, month: 8)), .truthAndReconciliation(from: 2023),
            .thanksgiving, .remembranceDay,
        ])

    private static let everywhere = [
        Holiday("New Year's Day", .fixed(month: 1, day: 1)), Holiday("Good Friday", .easter(days: -2)),
        Holiday("Canada Day", .fixed(month: 7, day: 1)), Holiday("Labour Day", .ordinal(1, dayOfWeek: 1, month: 9)),
        Holiday("Christmas Day", .fixed(month: 12, day: 25)),
    ]
}

extension Holidays.Holiday {
    init(_ name: String, _ rule: Holidays.Rule, _ years: ClosedRange<Int> = Int.min...Int.max) {
        (self.name, self.rule, self.years) = (name, rule, years)
    }

    fileprivate static func familyDay(from year: Int) -> Self {
        Self("Family Day", .ordinal(3, dayOfWeek: 1, month: 2), year...Int.max)
    }
    fileprivate static let victoriaDay = Self("Victoria Day", .before(dayOfWeek: 1, month: 5, day: 25))
    fileprivate static func indigenousPeoplesDay(from year: Int) -> Self {
        Self("National Indigenous Peoples Day", .fixed(month: 6, day: 21), year...Int.max)
    }
    fileprivate static let civicHoliday = Self("Civic Holiday", .ordinal(1, dayOfWeek: 1, month: 8))
    fileprivate static func truthAndReconciliation(from year: Int) -> Self {
        Self("National Day for Truth and Reconciliation", .fixed(month: 9, day: 30), year...Int.max)
    }
    fileprivate static let thanksgiving = Self("Thanksgiving Day", .ordinal(2, dayOfWeek: 1, month: 10))
    fileprivate static let remembranceDay = Self("Remembrance Day", .fixed(month: 11, day: 11))
}
