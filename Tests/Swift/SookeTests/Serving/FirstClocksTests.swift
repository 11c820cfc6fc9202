import Bytes
import Foundation
import Platform
import SookeModel
import Store
import Testing

@testable import sooke

@Suite struct FirstClocksTests {
    @Test(
        arguments: [
            // What the options say, what the settings say, and what comes of both.
            (nil, nil, nil, nil, "America/Vancouver CA-BC"),
            ("America/Toronto", nil, nil, nil, "America/Toronto CA-ON"),
            ("Europe/Dublin", nil, nil, nil, "Europe/Dublin none"),
            ("Europe/Dublin", "CA-YT", nil, nil, "Europe/Dublin CA-YT"),
            (nil, nil, "America/Halifax", nil, "America/Halifax CA-NS"),
            ("America/Toronto", "CA-YT", "America/Halifax", "CA-PE", "America/Halifax CA-PE"),
            (nil, "CA-NB", "America/Halifax", nil, "America/Halifax CA-NB"),
        ] as [(String?, String?, String?, String?, String)])
    func fills(zone: String?, region: String?, ownZone: String?, ownRegion: String?, result: String) throws {
        var transaction = WriteTransaction(Town())
        var own = Patch<Settings>()
        (own.values.timeZone, own.values.holidays) = (ownZone, ownRegion)
        if ownZone != nil { own.fields.insert("time_zone") }
        if ownRegion != nil { own.fields.insert("holidays") }
        try transaction.upsert(own)
        let clocks = FirstClocks(timeZone: zone, holidays: region)
        try clocks.fill(&transaction, likely: zone ?? "America/Vancouver")
        let settings = transaction.town.settings
        #expect("\(settings.timeZone ?? "") \(settings.holidays ?? "")" == result)
        #expect(try clocks.fill(&transaction, likely: "Asia/Tokyo") == false, "nothing is missing any more")
    }

    @Test(
        arguments: [
            (
                FirstClocks(timeZone: "America/Toronto"),
                "--time-zone America/Toronto was ignored: the town already uses Europe/Dublin"
            ),
            (FirstClocks(holidays: "CA-BC"), "--holidays CA-BC was ignored: the town already uses none"),
            (FirstClocks(timeZone: "Europe/Dublin", holidays: "none"), ""), (FirstClocks(), ""),
        ])
    func warns(clocks: FirstClocks, message: String) throws {
        let captured = try CapturedConsole()
        var settings = Settings()
        (settings.timeZone, settings.holidays) = ("Europe/Dublin", "none")
        clocks.warn(of: settings, captured.console)
        let errors = try captured.errorsText()
        #expect(message.isEmpty ? errors.isEmpty : errors.contains(message), "\(errors)")
    }

    @Test(
        arguments: [
            ("Europe/Dublin", "Europe/Dublin"), ("posix/Europe/Dublin", "Europe/Dublin"),
            ("America/Argentina/Salta", "America/Argentina/Salta"), ("Etc/UTC", nil), ("UTC", nil),
        ] as [(String, String?)])
    func theZoneOfTheMachine(name: String, zone: String?) throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/zoneinfo/\(name)"
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: file))
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/localtime", withDestinationPath: file)
        let database = TimeZoneDatabase(directory: "\(folder.path)/zoneinfo")
        #expect(database.machineZone(link: "\(folder.path)/localtime") == zone)
        #expect(database.machineZone(link: "\(folder.path)/nowhere") == nil)
    }
}
