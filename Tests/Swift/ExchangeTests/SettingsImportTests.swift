import SookeModel
import Store
import Testing

@testable import Exchange

/// What a town says of itself, in files.
@Suite struct SettingsImportTests {
    private static let dublin = #"{"settings":[{"name":"Howth","time_zone":"Europe/Dublin","center":"53.39,-6.07"}]}"#
    private static let replacing: ImportOptions = {
        var options = ImportOptions()
        options.replacesSettings = true
        return options
    }()

    @Test func aTownWithoutThemTakesThem() throws {
        var town = TestTown()
        #expect(town.town.settings == Settings() && town.town.storedSettings == nil)
        let report = try town.take(Self.dublin, as: "town.json")
        #expect(report.description == "settings: 1 new" && report.warnings.isEmpty)
        #expect(town.town.settings.name == "Howth" && town.town.settings.timeZone == "Europe/Dublin")
        #expect(town.town.settings.center == Coordinates(latitude: 53.39, longitude: -6.07))
        #expect(town.town.settings.theme == .harbour)
    }

    @Test func thoseOfATownAreReplacedOnlyOnRequest() throws {
        var town = TestTown()
        let own = #"{"settings":[{"name":"Otter","tagline":"Rain or shine","time_zone":"America/Vancouver"}]}"#
        try town.take(own, as: "town.json")
        let report = try town.take(Self.dublin, as: "x.json")
        #expect(report.description == "settings: 1 changed")
        #expect(
            report.warnings.lines == [
                #"warning: x.json:1: "Howth": settings: name, time_zone: left out, since the town has its own; to take these, import with --settings"#
            ])
        let settings = town.town.settings
        #expect(settings.name == "Otter" && settings.timeZone == "America/Vancouver")
        #expect(settings.center == Coordinates(latitude: 53.39, longitude: -6.07), "it had none")
        #expect(try town.take(Self.dublin, as: "x.json", Self.replacing).description == "settings: 1 changed")
        #expect(town.town.settings.name == "Howth" && town.town.settings.tagline == "Rain or shine")
        let again = try town.take(Self.dublin, as: "x.json")
        #expect(again.warnings.isEmpty && again.changedNothing, "the same settings replace nothing")
    }

    /// It says by which zone data the times of a town were computed, so that no file replaces it.
    @Test(arguments: [false, true]) func zoneDataOfATownStay(isReplacing: Bool) throws {
        let file = #"{"settings":[{"name":"Otter","zone_data":"2024a"}]}"#
        var town = TestTown()
        try town.take(file, as: "town.json")
        #expect(town.town.settings.zoneData == "2024a", "a new town has the times of the file")
        let options = isReplacing ? Self.replacing : ImportOptions()
        let report = try town.take(file.replacing("2024a", with: "2026f"), as: "x.json", options)
        #expect(town.town.settings.zoneData == "2024a" && report.warnings.isEmpty && report.changedNothing)
    }

    /// What was removed for good stays so, also with the settings of an older export.
    @Test(arguments: [false, true]) func removedStays(isReplacing: Bool) throws {
        var town = TestTown()
        try town.take(#"{"settings":[{"name":"Otter","removed":["event/1","event/2"]}]}"#, as: "town.json")
        let options = isReplacing ? Self.replacing : ImportOptions()
        for older in [#""removed":["event/1","event/3"]"#, #""removed":[]"#, #""tagline":"x""#] {
            let report = try town.take(#"{"settings":[{"name":"Otter",\#(older)}]}"#, as: "x.json", options)
            #expect(town.town.settings.removed == ["event/3", "event/1", "event/2"] && report.warnings.isEmpty)
        }
    }

    static let refused: [(text: String, problem: String)] = [
        (
            #"[{"blocked_links":["https://spam.example"]}]"#,
            "blocked_links: must have hosts and addresses such as spam.example, not https://spam.example"
        ),
        (#"[{"name":"A"},{"name":"B"}]"#, #""B": a town has one record of settings, which stands in line 1; leave"#),
        (#"[{"id":2}]"#, "id: must be 1: a town has one record of settings"),
        (#"[{"name":7}]"#, "name: must be a text"),
        (#"[{"country":"IRL"}]"#, "country: is 3 characters long, at most 2 are allowed"),
        (#"[{"currency":"eur"}]"#, "currency: must be the 3 capital letters of its code"),
        (#"[{"clock":"13"}]"#, "clock: must be one of 12, 24"),
        (#"[{"theme":"pink"}]"#, "theme: must be one of harbour, cedar, kelp, heather, dusk"),
        (#"[{"map_link":"atlas"}]"#, "map_link: must be one of openstreetmap, google, apple, geo"),
        (#"[{"contact_email":"x"}]"#, "contact_email: must be an e-mail address"),
        (#"[{"time_zone":"../x"}]"#, "time_zone: must be a time zone like America/Vancouver"),
        (#"[{"holidays":"XX-YY"}]"#, "holidays: must be one of CA-AB, CA-BC, "),
        (#"[{"center":"91,0"}]"#, "center: must be latitude,longitude in degrees"),
        (#"[{"center":"48.1"}]"#, "center: must be latitude,longitude in degrees"),
    ]

    @Test(arguments: refused) func invalidOnesAreRefused(text: String, problem: String) {
        let problems = TestTown().problems(with: #"{"settings":\#(text)}"#, as: "x.json")
        #expect(problems.count == 1 && problems[0].contains(problem), "\(problems)")
    }
}
