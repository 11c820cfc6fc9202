import Bytes
import SookeModel

/// The settings of the town as fields of forms.
enum TownFields {
    static let name = RecordField<Settings>("name", "Name of the town", \.name)
    static let center = RecordField<Settings>(
        FormField(
            name: "center", label: "Where is it?",
            hint:
                "Paste a link from a map, or two numbers such as 48.3743, -123.7254. Places without a location are shown there."
        ),
        text: { $0.center?.shapedText ?? "" },
        set: { text, patch, problems in
            patch.values.center = PlaceText.coordinates(in: text, "center", &problems)
            patch.fields.insert("center")
        })
    static let timeZone = RecordField<Settings>(
        "time_zone", "Time zone", \.timeZone,
        hint: "Its name, such as America/Vancouver. Opening hours and “today” follow its clocks.")

    static func all(for settings: Settings) -> [RecordField<Settings>] {
        [
            name,
            RecordField("tagline", "One sentence about it", \.tagline, hint: "Below the name. You may leave it empty."),
            choice(
                "theme", "Colours", \.theme,
                Settings.Theme.allCases.map { ($0, $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst()) }),
            RecordField(
                "contact_email", "Contact e-mail", \.contactEmail,
                hint: "Where people write to when something is wrong. Everybody sees it.", .line(type: "email")),
            center, timeZone, holidays(for: settings),
            choice(
                "map_link", "What opens directions", \.mapLink,
                [
                    (.openStreetMap, "OpenStreetMap"), (.google, "Google Maps"), (.apple, "Apple Maps"),
                    (.geo, "The app of each device"),
                ]),
        ]
    }

    private static func choice<Choice: ChoiceValue>(
        _ name: String, _ label: String, _ path: any WritableKeyPath<Settings, Choice> & Sendable,
        _ options: [(Choice, String)]
    ) -> RecordField<Settings> {
        RecordField(
            FormField(name: name, label: label, control: .choice(options.map { ($0.0.rawValue, $0.1) })),
            text: { $0[keyPath: path].rawValue },
            set: { text, patch, problems in
                guard let value = Choice(named: text) else { return problems.add(name, "is not one of these") }
                patch.values[keyPath: path] = value
                patch.fields.insert(name)
            })
    }

    /// What was sent, with the location as the form would show it: sent twice, it is the same.
    static func normalized(_ sent: Submission) -> Submission {
        guard let place = sent["center"].flatMap(PlaceText.coordinates) else { return sent }
        return sent.setting("center", to: place.shapedText)
    }

    // MARK: - Holidays

    /// What stands for the dates of a calendar, which only `sooke town` imports.
    private static let calendar = "calendar"

    /// The public holidays: those of a region, or of a calendar while the town has one.
    static func holidays(for settings: Settings) -> RecordField<Settings> {
        var options = Holidays.regions.filter { $0 != "none" }.map { ($0, regions[$0] ?? $0) }
        options.append(("none", "No public holidays"))
        if let last = settings.holidayDates.last {
            options.insert((calendar, "A calendar, known until \(last.date.text)"), at: 0)
        } else if settings.holidays == nil {
            options.insert(("", "Not chosen yet"), at: 0)
        }
        return RecordField(
            FormField(
                name: "holidays", label: "Public holidays", hint: "Places may have other hours then.",
                control: .choice(options)),
            text: { $0.holidayDates.isEmpty ? $0.holidays ?? "" : calendar },
            set: { text, patch, problems in
                if text == calendar {
                    return problems.add("holidays", "were replaced by those of a region; choose one")
                }
                patch.values.holidays = text.shown
                patch.fields.formUnion(["holidays", "holiday_dates"])
            })
    }

    private static let regions = [
        "CA-AB": "Alberta", "CA-BC": "British Columbia", "CA-MB": "Manitoba", "CA-NB": "New Brunswick",
        "CA-NL": "Newfoundland and Labrador", "CA-NS": "Nova Scotia", "CA-NT": "Northwest Territories",
        "CA-NU": "Nunavut", "CA-ON": "Ontario", "CA-PE": "Prince Edward Island", "CA-QC": "Quebec",
        "CA-SK": "Saskatchewan", "CA-YT": "Yukon",
    ]
}
