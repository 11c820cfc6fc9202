import Bytes
import Platform
import SookeModel
import Store

/// The time zone and the holidays of a town whose settings name none: what a command is told, else what is likely.
struct FirstClocks: Sendable {
    /// What the options say; nil where they say nothing.
    var timeZone: String?
    var holidays: String?
    /// Whether the town may be where this machine is.
    var mayBeHere = true

    /// Where the first towns were.
    static let firstTowns = "America/Vancouver"

    /// The zone of the town, if it has none.
    func likelyZone(in database: TimeZoneDatabase) -> String {
        timeZone ?? (mayBeHere ? database.machineZone() : nil) ?? Self.firstTowns
    }

    /// The holidays of the town, if it has none.
    func likelyHolidays(in zone: TimeZone) -> Holidays { Holidays.of(likelyRegion(in: zone.name)) ?? .none }

    private func likelyRegion(in zone: String) -> String { holidays ?? Holidays.region(ofZone: zone) }

    /// Sets what the settings do not name.
    ///
    /// - Returns: whether anything was missing.
    @discardableResult
    func fill(_ transaction: inout WriteTransaction, likely zone: String) throws -> Bool {
        let settings = transaction.town.settings
        var patch = Patch<Settings>()
        if settings.timeZone == nil {
            patch.values.timeZone = zone
            patch.fields.insert("time_zone")
        }
        if settings.holidays == nil, settings.holidayDates.isEmpty {
            patch.values.holidays = likelyRegion(in: settings.timeZone ?? zone)
            patch.fields.insert("holidays")
        }
        if patch.fields.isEmpty { return false }
        try transaction.upsert(patch)
        return true
    }

    /// Sets what the settings of a town do not name; warns of options that do not count.
    ///
    /// - Returns: what the town has now, for people; nil when nothing was missing, or the town is read-only.
    func fill(_ store: Store, likely zone: TimeZone, _ console: Console) -> String? {
        // A town that was there before it had settings had the clocks of the first towns.
        let before = store.current.town
        let name = timeZone ?? (before.isEmpty ? zone.name : Self.firstTowns)
        warn(of: before.settings, console)
        if store.readOnly != nil { return nil }
        if before.settings.timeZone != nil, Holidays.of(before.settings) != nil { return nil }
        do {
            _ = try waitFor {
                try await store.write(by: .local) { transaction in try fill(&transaction, likely: name) }
            }
            return Self.words(store.current.town.settings)
        } catch {
            // Such as a full disk: it serves what there is.
            console.log(.warning, "the time zone of the town could not be stored: \(error)")
            return nil
        }
    }

    /// Says that an option does not count, since the town has clocks of its own.
    func warn(of settings: Settings, _ console: Console) {
        let given = [
            ("--time-zone", timeZone, settings.timeZone),
            ("--holidays", holidays, settings.holidayDates.isEmpty ? settings.holidays : "a list of dates"),
        ]
        for (option, value, own) in given {
            guard let value, let own, value != own else { continue }
            console.log(
                .warning,
                "\(option) \(value) was ignored: the town already uses \(own); "
                    + "to change that: sooke town \(option) \(value)")
        }
    }

    /// The clocks and the holidays of a town, and how to change them.
    static func words(_ settings: Settings) -> String {
        let region = settings.holidays.map { $0 == "none" ? "no public holidays" : "the public holidays of \($0)" }
        let holidays = settings.holidayDates.isEmpty ? region ?? "" : "a list of public holidays"
        return "the town has the clocks of \(settings.timeZone ?? "") and \(holidays); to change that: "
            + "sooke town --time-zone ZONE --holidays REGION"
    }
}

extension Holidays {
    /// The region whose holidays are likely where a time zone is.
    fileprivate static func region(ofZone name: String) -> String {
        switch name {
        case "America/Vancouver", "America/Dawson_Creek", "America/Fort_Nelson", "America/Creston": "CA-BC"
        case "America/Edmonton": "CA-AB"
        case "America/Regina", "America/Swift_Current": "CA-SK"
        case "America/Winnipeg": "CA-MB"
        case "America/Toronto", "America/Thunder_Bay", "America/Nipigon", "America/Rainy_River", "America/Atikokan":
            "CA-ON"
        case "America/Montreal", "America/Blanc-Sablon": "CA-QC"
        case "America/Moncton": "CA-NB"
        case "America/Halifax", "America/Glace_Bay": "CA-NS"
        case "America/St_Johns", "America/Goose_Bay": "CA-NL"
        case "America/Whitehorse", "America/Dawson": "CA-YT"
        case "America/Yellowknife", "America/Inuvik": "CA-NT"
        case "America/Iqaluit", "America/Rankin_Inlet", "America/Resolute", "America/Cambridge_Bay": "CA-NU"
        default: "none"
        }
    }
}
