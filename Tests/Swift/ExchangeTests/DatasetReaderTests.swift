import SookeModel
import TestSupport
import Testing

@testable import Exchange

/// A dataset in one JSON document, in any layout.
@Suite struct DatasetReaderTests {
    @Test(arguments: [
        #"{}"#, #"{"businesses":[]}"#, #" { "users" : [ ] , "events" : [ ] } "#, "\u{FEFF}{}",
        #"{"format":"sooke/1","store":"x","sequence":5,"at":"2026-11-21T09:30:00Z","numbers":{"event":3}}"#,
        #"{"format":"sooke/4","wall":"2026-11-21T09:30:00Z","id_sequences":{"event":3}}"#,
    ])
    func aDatasetMayHoldOnlySome(text: String) throws {
        var town = try TestTown.small()
        #expect(try town.take(text, as: "x.json").changedNothing)
    }

    @Test func collectionsMayStandInAnyOrder() throws {
        var town = TestTown()
        try town.take(
            """
            {"events":[{"event_type":"live-music","business":"pub","name":"Gig","starts_at":"2027-01-01T00:00:00Z"}],
            "businesses":[{"owner_id":4,"category":"bars","name":"Pub","address":"1 A","latitude":48,"longitude":-123}],
            "users":[{"id":4,"email":"sam@sooke.example"}],
            "event_types":[{"name":"Live Music"}],
            "categories":[{"name":"Bars"}]}
            """, as: "x.json")
        #expect(try town.event("gig").business == Slug("pub"))
        #expect(try town.business("pub").ownerID == 4)
    }

    static let messages: [(text: String, problems: [String])] = [
        ("", ["x.json:1: column 1: expected an object, found the end of the document"]),
        ("[]", ["x.json:1: column 1: expected an object, found an array"]),
        ("{\n\"businesses\": {}}", ["x.json:2: column 15: expected an array, found an object"]),
        ("{\"businesses\":[\n{\"slug\":\"pub\",}]}", ["x.json:2: column 15: expected a key, found '}'"]),
        ("{} {}", ["x.json:1: column 4: expected the end of the document, found an object"]),
        (
            "{\n\"bussinesses\":[]}",
            [
                "x.json:2: bussinesses: unknown key; expected one of settings, categories, event_types, users, "
                    + "businesses, events, notices"
            ]
        ),
        (
            #"{"format":"sooke/5","businesses":[{"slug":1}]}"#,
            [
                #"x.json:1: format: is "sooke/5", which this program does not know; it reads "sooke/1", "sooke/2", "#
                    + #""sooke/3", "sooke/4""#
            ]
        ),
        (
            "{\"businesses\":[\n{\"slug\":\"pub\",\"phone\":5,\n\"adress\":\"1 A\"},\n7]}",
            [
                "x.json:2: \"pub\": phone: must be a text", "x.json:2: \"pub\": adress: is not a field here",
                "x.json:4: must be an object",
            ]
        ),
        (
            #"{"businesses":[{"slug":"pub","hours":[{"day_of_week":9,"is_closed":true},{"day_of_week":1}]}]}"#,
            [
                "x.json:1: \"pub\": hours[1].open_time: is missing",
                "x.json:1: \"pub\": hours[1].close_time: is missing",
                "x.json:1: \"pub\": hours[1].day_of_week: must be 0 (Sunday) to 6 (Saturday)",
            ]
        ),
        (#"{"categories":[{"slug":"bars","name":null}]}"#, ["x.json:1: \"bars\": name: must be a text"]),
        (#"{"users":[{"id":9}]}"#, ["x.json:1: email: must not be empty"]),
    ]

    @Test(arguments: messages)
    func saysWhatIsWrong(text: String, problems: [String]) throws {
        #expect(try TestTown.small().problems(with: text, as: "x.json") == problems)
    }

    @Test func anExportThatWasChangedIsNoticed() throws {
        let town = try TestTown.small()
        let export = town.dataset
        #expect(town.problems(with: export, as: "x.json") == [])
        let last = export.split(separator: "\n").count
        let problem =
            "x.json:\(last): end: does not fit what stands before it: the file is damaged, or was changed; "
            + "if you changed it, take \"end\" out"
        for (old, new) in [("Pints", "Pinte"), (",\n", ", \n"), ("\"lines\":", "\"lines\":1")] {
            #expect(
                town.problems(with: export.replacing(old, with: new, maxReplacements: 1), as: "x.json") == [problem])
        }
        #expect(town.problems(with: String(export.dropLast()), as: "x.json") == [problem])
    }

    @Test func everyFlippedBitOfAnExportIsNoticed() throws {
        let town = try TestTown.small()
        let export = Array(town.dataset.utf8)
        for index in Cases.sample(export.indices, every: 7) {
            var damaged = export
            damaged[index] ^= 0x01
            #expect(!town.problems(with: [ImportFile(name: "x.json", bytes: damaged)]).isEmpty, "byte \(index)")
        }
    }

    @Test func secretsOfABackupAreLeftOutAndNamed() throws {
        var town = TestTown()
        let report = try town.take(
            #"{"categories":[{"name":"Bars"}],"passwords":[],"grants":[{"id":1},{"id":2}],"proposals":[{"id":1}]}"#,
            as: "backup.json")
        #expect(report[.category].created == 1)
        #expect(
            report.warnings.lines == [
                "warning: backup.json:1: grants: were left out (2): an import takes no secrets of accounts. "
                    + "People set new passwords; `sooke restore` makes a town of the whole backup",
                "warning: backup.json:1: proposals: were left out (1): an import takes no proposals; "
                    + "`sooke restore` makes a town of the whole backup",
            ])
    }
}
