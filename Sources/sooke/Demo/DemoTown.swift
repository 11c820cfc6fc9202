import Bytes
import Exchange
import SookeModel
import Store

/// The fictional town that is included in the binary, as it is written.
struct DemoTown {
    /// The events of a year, and those of a usual week.
    private let events, usual: [Event]
    private let businesses: [Business]

    /// Fills an empty town. Its dates come near the present so that they keep their meaning: see `DemoDates`.
    static func fill(_ transaction: inout WriteTransaction, now: Timestamp, zone: TimeZone) throws {
        try DemoTown(into: &transaction).begin(in: &transaction, now: now, zone: zone)
        var settings = Patch<Settings>()
        settings.values.tagline = "On the harbour, at the end of the road"
        settings.values.contactEmail = "hello@sooke.example"
        settings.values.center = Coordinates(latitude: 48.3742, longitude: -123.7276)
        settings.fields = ["tagline", "contact_email", "center"]
        try transaction.upsert(settings)
        var report = Proposal()
        (report.about, report.business) = (.business, transaction.town.businesses[Slug("kingfisher-fish-chips")]?.id)
        report.submittedBy = transaction.town.people[email: "tom.whitlock@mail.example"]?.id
        report.text = "The page said open until half past seven, but the door was locked at six on Tuesday."
        report.sentAt = now.advanced(bySeconds: -3 * 3600)
        transaction.put(report, at: now)
    }

    init(into transaction: inout WriteTransaction) throws {
        events = try Self.take("sooke.json", PackageResources.sooke_json, into: &transaction)
        usual = try Self.take("week.json", PackageResources.week_json, into: &transaction)
        businesses = transaction.town.businesses.inOrderOfID.map(\.value)
    }

    /// Imports a file; returns the events in it.
    private static func take(
        _ name: String, _ json: [UInt8], into transaction: inout WriteTransaction
    ) throws -> [Event] {
        let before = transaction.town.events
        let file = ImportFile(name: name, format: .json, bytes: json)
        _ = try Import(files: [file]).apply(to: &transaction)
        return transaction.town.events.inOrderOfID.map(\.value).filter { before[$0.slug] == nil }
    }

    func begin(in transaction: inout WriteTransaction, now: Timestamp, zone: TimeZone) throws {
        let dates = DemoDates(today: zone.localDate(at: now).date, zone: zone)
        for event in events { try move(event, to: dates.inYear(event), in: &transaction) }
        for event in usual { try move(event, to: dates.inWeek(event, of: usual), in: &transaction) }
        moveSpecialHours(in: &transaction, to: dates.today)
    }

    /// Moves an event. One that cannot be moved is left out, also where the calendar ends.
    private func move(_ event: Event, to moved: Event?, in transaction: inout WriteTransaction) throws {
        var patch = Patch<Event>()
        patch.fields = ["slug", "starts_at", "ends_at", "exdates", "rdates", "overrides"]
        if let moved {
            patch.values = moved
            if (try? transaction.upsert(patch)) != nil { return }
        }
        try transaction.deleteEvent(event.id)
    }

    /// Moves the special hours of all businesses: the first that are those of a single day are those of today, and
    /// longer ones begin on their day of the week.
    private func moveSpecialHours(in transaction: inout WriteTransaction, to today: CivilDate) {
        let single = businesses.flatMap(\.specialHours).filter { $0.from == $0.to }.compactMap(\.from).min()
        guard let single else { return }
        let days = today.daysSinceEpoch - single.daysSinceEpoch
        for business in businesses where !business.specialHours.isEmpty {
            var patch = Patch<Business>()
            patch.values.slug = business.slug
            patch.values.specialHours = business.specialHours.map { row in
                let days = row.from == row.to ? days : days / 7 * 7
                var moved = row
                moved.from = row.from.map { $0.advanced(by: days) }
                moved.to = row.to.map { $0.advanced(by: days) }
                return moved
            }
            patch.fields = ["slug", "special_hours"]
            // They stay where the calendar ends.
            _ = try? transaction.upsert(patch)
        }
    }
}
