import Bytes
import SookeModel
import Store

/// A table of events, one a row.
///
/// An event type may be named by its slug or its name, the submitter by e-mail address or number.
enum EventCSV: CSVTable {
    enum Column: String, CaseIterable {
        case name, slug
        case eventType = "event_type"
        case business, latitude, longitude
        case startsAt = "starts_at"
        case endsAt = "ends_at"
        case status, description
        case submittedBy = "submitted_by"
        case id
    }

    static let personColumn = Column.submittedBy

    static func wrap(_ patch: Patch<Event>) -> AnyPatch { .event(patch) }

    static func read(_ cell: CSVCell, _ column: Column, into row: inout CSVRecord<Event>) {
        switch column {
        case .name: row.set(.name, \.name, cell)
        case .slug: row.patch.values.slug = Slug(cell.text)
        case .eventType:
            row.patch.fields.insert(.eventType)
            row.patch.values.eventType = Slug(cell.text)
        case .business: row.setSlug(.business, \.business, cell)
        case .latitude: row.setDegrees(.latitude, \.latitude, cell)
        case .longitude: row.setDegrees(.longitude, \.longitude, cell)
        case .startsAt: row.setMoment(.startsAt, \.startsAt, cell)
        case .endsAt: row.setMoment(.endsAt, \.endsAt, cell)
        case .status: readStatus(cell, into: &row)
        case .description: row.set(.description, \.description, cell)
        case .submittedBy: row.setPerson(.submittedBy, \.submittedBy, cell)
        case .id: row.setID(.id, cell)
        }
    }

    /// Every event has a status, so an empty cell says nothing about it.
    private static func readStatus(_ cell: CSVCell, into row: inout CSVRecord<Event>) {
        let names = "one of " + Event.Status.allCases.map(\.rawValue).joined(separator: ", ")
        guard let status = row.read(cell, "status", shape: names, Event.Status.init(named:)) else { return }
        row.patch.fields.insert(.status)
        row.patch.values.status = status
    }

    static func cell(_ column: Column, of event: Event, in community: Community) -> String? {
        switch column {
        case .name: event.name
        case .slug: event.slug.text
        case .eventType: event.eventType.text
        case .business: event.business?.text
        case .latitude: event.latitude.map(degreesCell)
        case .longitude: event.longitude.map(degreesCell)
        case .startsAt: event.startsAt?.rfc3339
        case .endsAt: event.endsAt?.rfc3339
        case .status: event.status.rawValue
        case .description: event.description
        case .submittedBy: event.submittedBy.map { personCell($0, in: community) }
        case .id: "\(event.id)"
        }
    }
}

extension CSVRecord<Event> {
    fileprivate mutating func setMoment(
        _ field: Event.Field, _ path: WritableKeyPath<Event, Timestamp?>, _ cell: CSVCell
    ) {
        set(field, path, cell, shape: Event.momentShape, Timestamp.init(rfc3339:))
    }
}
