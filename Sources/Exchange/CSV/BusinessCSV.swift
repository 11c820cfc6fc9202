import SookeModel
import Store

/// A table of businesses, one a row. It holds all but their menus.
///
/// A category may be named by its slug or its name, an owner by e-mail address or number. A column for a day of the
/// week says when a business is open; see `DayHours.init(cell:on:)`.
enum BusinessCSV: CSVTable {
    enum Column: String, CaseIterable {
        case name, slug, category, description, address, latitude, longitude, phone, email, website, owner
        case sunday, monday, tuesday, wednesday, thursday, friday, saturday
        case id

        /// The day a column is for, 0 for Sunday.
        var dayOfWeek: Int? { Self.days.firstIndex(of: self) }

        private static let days: [Column] = [.sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday]
    }

    static let personColumn = Column.owner

    static func wrap(_ patch: Patch<Business>) -> AnyPatch { .business(patch) }

    static func read(_ cell: CSVCell, _ column: Column, into row: inout CSVRecord<Business>) {
        switch column {
        case .name: row.set(.name, \.name, cell)
        case .slug: row.patch.values.slug = Slug(cell.text)
        case .category: row.setSlug(.category, \.category, cell)
        case .description: row.set(.description, \.description, cell)
        case .address: row.set(.address, \.address, cell)
        case .latitude: row.setDegrees(.latitude, \.latitude, cell)
        case .longitude: row.setDegrees(.longitude, \.longitude, cell)
        case .phone: row.set(.phone, \.phone, cell)
        case .email: row.set(.email, \.email, cell)
        case .website: row.set(.website, \.website, cell)
        case .owner: row.setPerson(.ownerID, \.ownerID, cell)
        case .id: row.setID(.id, cell)
        case .sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday:
            readHours(cell, column, into: &row)
        }
    }

    /// A day whose cell is empty has no hours; a day without a column keeps those it has.
    private static func readHours(_ cell: CSVCell, _ column: Column, into row: inout CSVRecord<Business>) {
        guard let day = column.dayOfWeek else { return }
        row.patch.fields.insert(.hours)
        row.days.insert(day)
        let hours = row.read(cell, column.rawValue, shape: DayHours.cellShape) { DayHours(cell: $0, on: day) }
        if let hours { row.patch.values.hours.append(hours) }
    }

    static func cell(_ column: Column, of business: Business, in community: Community) -> String? {
        switch column {
        case .name: business.name
        case .slug: business.slug.text
        case .category: business.category?.text
        case .description: business.description
        case .address: business.address
        case .latitude: business.latitude.map(degreesCell)
        case .longitude: business.longitude.map(degreesCell)
        case .phone: business.phone
        case .email: business.email
        case .website: business.website
        case .owner: business.ownerID.map { personCell($0, in: community) }
        case .id: "\(business.id)"
        case .sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday:
            business.hours.first { $0.dayOfWeek == column.dayOfWeek }?.cell
        }
    }
}
