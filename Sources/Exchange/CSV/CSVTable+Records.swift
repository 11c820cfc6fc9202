import SookeModel
import Store

extension CSVTable<Business> {
    /// The table of businesses, without their menus.
    ///
    /// A category may be given by slug or name, an owner by e-mail address or ID. A column for a day of the week has
    /// the hours of that day; see `DayHours.init(cell:on:)`. An empty cell means no hours; the hours of a day without a
    /// column stay unchanged.
    static let businesses = CSVTable(
        first: ["name", "slug", "category"], person: ("owner_id", "owner"),
        days: Days(
            read: { cell, column, day, row in row.readHours(cell, column, on: day) },
            cell: { business, day in business.hours.first { $0.dayOfWeek == day }?.cell })
    ) { .business($0) }
}

extension CSVTable<Event> {
    /// The table of events.
    ///
    /// An event type may be given by slug or name, the submitter by e-mail address or ID.
    static let events = CSVTable(
        first: [
            "name", "slug", "event_type", "business", "latitude", "longitude", "starts_at", "ends_at", "status",
            "description",
        ], person: ("submitted_by", "submitted_by")
    ) { .event($0) }
}

/// Looked up once, because every row has seven cells with hours.
private let hoursField = Business.fields.knownIndex(of: "hours")

extension CSVRecord<Business> {
    fileprivate mutating func readHours(_ cell: CSVCell, _ column: String, on day: Int) {
        patch.fields.insert(hoursField)
        let text = cell.text.trimmed
        guard !text.isEmpty else { return }
        if let hours = DayHours(cell: text, on: day) {
            patch.values.hours.append(hours)
        } else {
            refuse(text, column, shape: DayHours.cellShape)
        }
    }
}
