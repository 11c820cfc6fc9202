import Bytes
import Exchange
import SookeModel
import Store

/// The fictional town that is included in the binary.
enum DemoTown {
    /// Fills an empty town. Its events and special hours are moved by whole weeks so that the first event starts within
    /// the next seven days.
    ///
    /// The day of the week and the local time of day are preserved.
    static func fill(_ transaction: inout WriteTransaction, now: Timestamp, zone: TimeZone) throws {
        let seed = ImportFile(name: "sooke.json", format: .json, bytes: [UInt8](SeedData.json))
        _ = try Import(files: [seed]).apply(to: &transaction)
        var settings = Patch<Settings>()
        settings.values.tagline = "On the harbour, at the end of the road"
        settings.values.contactEmail = "hello@sooke.example"
        settings.values.center = Coordinates(latitude: 48.3742, longitude: -123.7276)
        settings.fields = ["tagline", "contact_email", "center"]
        try transaction.upsert(settings)
        let events = transaction.town.events.inOrderOfID.map(\.value)
        guard let first = events.compactMap(\.startsAt).min() else { return }
        let tomorrow = zone.localDate(at: now).date.daysSinceEpoch + 1
        let distance = tomorrow - zone.localDate(at: first).date.daysSinceEpoch
        let days = distance + (7 - distance % 7) % 7
        for event in events {
            var patch = Patch<Event>()
            patch.values.slug = event.slug
            patch.values.startsAt = event.startsAt.map { move($0, by: days, zone) }
            patch.values.endsAt = event.endsAt.map { move($0, by: days, zone) }
            patch.values.exdates = event.exdates.map { move($0, by: days, zone) }
            patch.values.rdates = event.rdates.map { move($0, by: days, zone) }
            patch.values.overrides = event.overrides.map { move($0, by: days, zone) }
            patch.fields = ["slug", "starts_at", "ends_at", "exdates", "rdates", "overrides"]
            try transaction.upsert(patch)
        }
        try moveSpecialHours(in: &transaction, by: days)
    }

    private static func moveSpecialHours(in transaction: inout WriteTransaction, by days: Int) throws {
        let businesses = transaction.town.businesses.inOrderOfID.map(\.value)
        for business in businesses where !business.specialHours.isEmpty {
            var patch = Patch<Business>()
            patch.values.slug = business.slug
            patch.values.specialHours = business.specialHours.map { row in
                var moved = row
                moved.from = row.from.map { $0.advanced(by: days) }
                moved.to = row.to.map { $0.advanced(by: days) }
                return moved
            }
            patch.fields = ["slug", "special_hours"]
            try transaction.upsert(patch)
        }
    }

    private static func move(_ override: EventOverride, by days: Int, _ zone: TimeZone) -> EventOverride {
        var moved = override
        moved.occurrence = override.occurrence.map { move($0, by: days, zone) }
        moved.startsAt = override.startsAt.map { move($0, by: days, zone) }
        moved.endsAt = override.endsAt.map { move($0, by: days, zone) }
        return moved
    }

    /// The moment with the same local time some days later.
    private static func move(_ moment: Timestamp, by days: Int, _ zone: TimeZone) -> Timestamp {
        let moved = moment.advanced(bySeconds: days * 86_400)
        return moved.advanced(bySeconds: zone.offset(at: moment) - zone.offset(at: moved))
    }
}
