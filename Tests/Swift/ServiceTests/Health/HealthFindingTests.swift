import Bytes
import Platform
import SookeModel
import Store
import Synchronization
import TestSupport
import Testing

@testable import Service

/// Whether all is well: each thing that can break is found, with what to do next, and is fine again when it is mended.
@Suite struct HealthFindingTests {
    /// What the machine says.
    private final class Machine: Sendable {
        let backup = Mutex(LastBackup())
        let zones = Mutex<String?>("2026a")
    }

    private let town: ServiceTown
    private let machine = Machine()

    init() async throws { town = try await ServiceTown() }

    private func service(zones version: String = "2026a") throws -> TownService {
        let machine = machine
        let zones = TimeZones(version: version, versionNow: { machine.zones.withLock(\.self) }) {
            TimeZoneDatabase().file(named: $0)
        }
        return TownService(
            store: town.store, clock: town.clock.source, zones: zones, zone: try zones.zone(named: "America/Vancouver"),
            lastBackup: { machine.backup.withLock(\.self) })
    }

    private func finding(_ name: HealthFinding.Name, _ service: TownService) throws -> HealthFinding {
        try #require(service.findings(in: town.town, build: "sooke 1").first { $0.name == name })
    }

    private func expect(
        _ state: HealthFinding.State, _ text: String, _ name: HealthFinding.Name, _ service: TownService? = nil,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try finding(name, try service ?? self.service())
        #expect(found.state == state && found.text.contains(text), "\(found)", sourceLocation: location)
        let hasNext = found.advice != nil || found.command != nil
        #expect(hasNext == (state != .fine), "\(found)", sourceLocation: location)
    }

    private func set(_ settings: Patch<Settings>) async throws {
        _ = try await town.store.write(by: .local) { _ = try $0.upsert(settings) }
    }

    private func set(_ change: (inout LastBackup) -> Void) { machine.backup.withLock { change(&$0) } }

    private func hoursAgo(_ hours: Int) -> Timestamp { town.clock.now.advanced(bySeconds: -3600 * hours) }

    @Test func backups() throws {
        try expect(.broken, "There is none yet.", .backup)
        for (hours, state) in [(1, HealthFinding.State.fine), (30, .attention), (60, .broken)] {
            set { $0.at = hoursAgo(hours) }
            try expect(state, "The last one was", .backup)
        }
        set { ($0.at, $0.failure) = (hoursAgo(1), (hoursAgo(0), "cannot list /b")) }
        try expect(.broken, "A backup failed less than a minute ago: cannot list /b. The last one was 60 min", .backup)
        try expect(.attention, "Nobody has tried", .restore)
        for (hours, isGood, state) in [
            (1, true, HealthFinding.State.fine), (60, true, .attention), (1, false, .broken),
        ] {
            set { $0.check = (hoursAgo(hours), "town.json says so", isGood) }
            try expect(state, "town.json says so", .restore)
        }
    }

    @Test func zoneData() async throws {
        try expect(.fine, "Version 2026a.", .zoneData)
        machine.zones.withLock { $0 = "2026b" }
        try expect(.attention, "Version 2026a, and the machine has 2026b.", .zoneData)
        machine.zones.withLock { $0 = nil }
        try expect(.broken, "gone from the machine", .zoneData)
        machine.zones.withLock { $0 = "2024a" }
        try expect(.attention, "more than a year old", .zoneData, try service(zones: "2024a"))
        try await set(Patch { $0.zoneData = "2026b" })
        try expect(.broken, "older than 2026b, with which the town was last served", .zoneData)
    }

    @Test func holidays() async throws {
        try expect(.fine, "for each year", .holidays)
        for (last, state) in [
            ((2027, 12, 25), HealthFinding.State.fine), ((2026, 12, 25), .attention), ((2026, 11, 11), .broken),
        ] {
            let dates = [(2026, 1, 1), last].compactMap { CivilDate(year: $0, month: $1, day: $2) }
            try await set(Patch { $0.holidayDates = dates.map { HolidayDate($0, "Feast") } })
            try expect(state, "known until \(last.0)-\(last.1)-\(last.2).", .holidays)
        }
    }

    @Test func mail() async throws {
        let (service, from) = (try service(), "town@town.example")
        try expect(.attention, "Nothing sends.", .mail, service)
        _ = try await service.takeMail(from: from)
        try expect(.fine, "Sent by sooke outside from \(from); 0 waiting.", .mail, service)
        let results: [(MailReport.Outcome, HealthFinding.State)] = [
            (.failed, .broken), (.sent, .fine), (.refused, .broken),
        ]
        for (result, state) in results {
            let person = PatchInput<Person> { ($0.email, $0.role) = ("\(result)@far.example", .generalUser) }
            _ = try await service.invite(person, for: town.context(.local))
            let mail = try #require(try await service.takeMail(from: from))
            try await service.reportMail(MailReport(mail.id, result, words: "550 no such domain"))
            try expect(state, result == .sent ? "1 waiting" : "not sent: 550 no such domain. Sent by", .mail, service)
            town.clock.advance(bySeconds: 10)
        }
        town.clock.advance(bySeconds: 1_300)
        try expect(.broken, "Nothing sends; it was sooke outside, from \(from).", .mail, service)
        #expect(!service.findings(in: town.town, build: "", isServed: false).contains { $0.name == .mail })
    }

    @Test func calendars() async throws {
        let service = try service()
        #expect(!service.findings(in: town.town, build: "").contains { $0.name == .calendars })
        let (wrong, since) = ("its server answers with 403", hoursAgo(70))
        _ = try await town.store.write(by: .local) { transaction in
            let type = try #require(EventType.createTerm("Talk", in: &transaction))
            for name in ["Library", "Hall"] {
                var patch = Patch<PulledCalendar>()
                patch.values.eventType = type
                (patch.values.name, patch.values.address) = (name, "https://\(name).example/key.ics")
                if name == "Hall" { (patch.values.failingSince, patch.values.words) = (since, wrong) }
                patch.fields = ["name", "address", "event_type", "failing_since", "words"]
                try transaction.create(patch)
            }
        }
        try expect(.broken, "Nothing fetches them.", .calendars, service)
        _ = service.takeFetch()
        try expect(.fine, "2 calendars fetched.", .calendars, service)
        #expect(service.findings(in: town.town, build: "", isServed: false).contains { $0.name == .calendars })
        town.clock.advance(bySeconds: 3 * 3600)
        _ = service.takeFetch()
        try expect(.attention, "1 failing for three days: “Hall” (\(wrong)).", .calendars, service)
    }

    @Test func whatWaits() throws {
        try expect(.fine, "1 thing to review", .waiting)
        town.clock.advance(bySeconds: 4 * 86_400)
        try expect(.attention, "sent 4 days ago", .waiting)
        town.clock.advance(bySeconds: 11 * 86_400)
        try expect(.broken, "sent 15 days ago", .waiting)
    }

    @Test func whatCannotBeChanged() async throws {
        try expect(.fine, "stored", .changes)
        try await town.store.makeReadOnly(reason: "moving")
        try expect(.broken, "read-only since 2026-11-21 09:30 UTC: moving.", .changes)
        #expect(try finding(.changes, service()).command == "sooke read-only off --data \(town.store.folder)")
        try await town.store.endReadOnly()
        try expect(.fine, "stored", .changes)
        town.store.recordDamage("log 1 is cut")
        try expect(.broken, "log 1 is cut", .files)
        town.store.recordDamage(nil)
        try expect(.fine, "No damage", .files)
    }

    @Test func people() throws {
        try expect(.fine, "1 administrator. Logged in: 5 accounts, on 5 devices.", .people)
        town.clock.advance(bySeconds: 3_600)
        try expect(.fine, "1 administrator. Logged in: 0 accounts, on 0 devices.", .people)
    }
}
