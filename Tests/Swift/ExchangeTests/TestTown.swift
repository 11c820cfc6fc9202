import Bytes
import SookeModel
import Testing

@testable import Exchange
@testable import Store

/// A town in memory that tests import into.
struct TestTown {
    private(set) var town = Town()

    /// A town with a category, an event type, two people, a pub with a menu and a concert.
    static func small() throws -> TestTown {
        var town = TestTown()
        try town.take(
            """
            {"categories":[{"id":1,"name":"Bars"},{"id":2,"name":"Cafés & Bakeries"}],
            "event_types":[{"id":1,"name":"Live Music"}],
            "users":[{"id":1,"email":"ada@sooke.example","role":"super_admin"},{"id":2,"email":"sam@sooke.example"}],
            "businesses":[{"id":1,"owner_id":2,"category":"bars","name":"Pub","description":"Pints","phone":"250-555-0101",
            "address":"1 Wharf St","latitude":48.37,"longitude":-123.73,
            "hours":[{"id":1,"day_of_week":5,"open_time":"11:30","close_time":"01:30"}],
            "menus":[{"id":1,"name":"Taps","items":[{"id":1,"name":"Ale","price":"7.50"}]}]}],
            "events":[{"id":1,"event_type":"live-music","submitted_by":2,"business":"pub","name":"Concert",
            "starts_at":"2027-06-01T19:00:00-07:00","status":"approved"}]}
            """, as: "town.json")
        return town
    }

    /// Inserts an event type as a log may contain it.
    mutating func put(_ id: Int, eventType name: String, slug: String) throws {
        var eventType = EventType()
        (eventType.id, eventType.name, eventType.slug) = (id, name, Slug(slug))
        try town.apply(.put(AnyRecord(eventType)), at: nil)
    }

    mutating func replace(with other: Town) { town = other }

    /// Imports files, given by their names and texts.
    @discardableResult
    mutating func take(
        _ files: [ImportFile], _ options: ImportOptions = ImportOptions()
    ) throws(ImportProblems) -> ImportReport {
        town.zones = TownZones()
        town.zones.set(fallback: options.zone, find: options.findZone)
        var transaction = WriteTransaction(town)
        let report = try Import(files: files, options: options).apply(to: &transaction)
        town = transaction.town
        return report
    }

    /// Imports one file.
    @discardableResult
    mutating func take(
        _ text: String, as name: String, _ options: ImportOptions = ImportOptions()
    ) throws(ImportProblems) -> ImportReport {
        try take([ImportFile(name, text)], options)
    }

    /// The problems of some files, as text; empty when they are imported.
    func problems(with files: [ImportFile]) -> [String] {
        var town = self
        do {
            try town.take(files)
            return []
        } catch {
            return error.all.map(\.description)
        }
    }

    /// The problems of one file.
    func problems(with text: String, as name: String) -> [String] {
        problems(with: [ImportFile(name, text)])
    }

    /// The whole town as an export.
    var dataset: String { text(.json) }

    /// The town in a format.
    func text(_ format: ExportFormat, table: Export.Table = .businesses) -> String {
        Self.text(of: town, format, table: table)
    }

    /// A version of a town in a format.
    static func text(of town: Town, _ format: ExportFormat, table: Export.Table = .businesses) -> String {
        String(decoding: Export(town).bytes(format, table: table), as: UTF8.self)
    }

    func business(_ slug: String) throws -> Business {
        try #require(town.businesses[Slug(slug)]?.value)
    }

    func event(_ slug: String) throws -> Event {
        try #require(town.events[Slug(slug)]?.value)
    }
}

extension ImportFile {
    /// A file with a text in it.
    init(_ name: String, _ text: String) {
        self.init(name: name, bytes: Array(text.utf8))
    }
}

extension ImportRow {
    /// The only problem of a row that could not be read.
    var problem: FieldProblem? { problems.all.first }

    /// The message of a row that is no record.
    var warning: String? { warnings.all.first?.message }
}

extension CalendarEntry {
    /// The event, without its warnings; one at a business is where that is.
    func patch(
        slug: Slug? = nil, business: Slug? = nil, in town: TimeZone, find: @escaping (String) -> TimeZone?
    ) throws(FieldProblems) -> Patch<Event> {
        var warnings = FieldProblems()
        var patch = try patch(slug: slug, in: town, zones, &warnings, find: find)
        guard let business else { return patch }
        (patch.values.business, patch.values.latitude, patch.values.longitude) = (business, nil, nil)
        patch.fields = patch.fields.subtracting(["latitude", "longitude"])
        patch.fields.insert("business")
        return patch
    }
}
