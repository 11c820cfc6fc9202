import SookeModel

/// The zone of a town's clocks, and the public holidays that count there.
package struct TownClocks: Sendable {
    package let zone: TimeZone
    package let holidays: Holidays
    /// A number that the clocks before do not have.
    let generation: Int
    /// What the settings say of them.
    private var (timeZone, region): (String?, String?) = (nil, nil)
    private var dates: [HolidayDate] = []

    init(_ zone: TimeZone, _ holidays: Holidays) {
        (self.zone, self.holidays, generation) = (zone, holidays, 0)
    }

    /// What the settings name; what they leave open is as in other clocks.
    ///
    /// - Parameter last: the clocks before.
    init(of settings: Settings, _ zones: TimeZones, orElse others: TownClocks, after last: TownClocks) {
        generation = last.generation + 1
        zone = settings.timeZone.flatMap { try? zones.zone(named: $0) } ?? others.zone
        holidays = Holidays.of(settings) ?? others.holidays
        (timeZone, region, dates) = (settings.timeZone, settings.holidays, settings.holidayDates)
    }

    func areThose(of settings: Settings) -> Bool {
        timeZone == settings.timeZone && region == settings.holidays && dates == settings.holidayDates
    }
}
