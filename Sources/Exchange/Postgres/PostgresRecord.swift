import Bytes
import SookeModel
import Store

/// A record with a row, whose columns have the names of its fields, or those of references with `_id`.
protocol PostgresRecord: WritableRecord {
    static var table: PostgresTable { get }

    /// What follows from columns of other names.
    static var furtherFields: FieldSet<Self> { get }

    /// Sets the columns that have not what the fields of their names have.
    ///
    /// - Parameter center: where the Go service shows places without a location.
    func complete(_ row: inout PostgresRow, center: Coordinates?)

    /// Sets the field of a column that the database has changed.
    mutating func set(_ column: String, from row: PostgresRow)

    mutating func take(_ parts: PostgresParts)

    mutating func addFormerSlug(of existing: Self)
}

extension PostgresRecord {
    static var furtherFields: FieldSet<Self> { [] }

    static var fieldsInTables: FieldSet<Self> {
        var fields = furtherFields
        let names = Self.fields.names.filter { table.index(of: $0) != nil }
        for name in names + referencesInTable.map(\.field) { fields.insert(name) }
        return fields
    }

    /// Those by slug that a row has as the IDs of others. The Go service knows no host of an event.
    static var referencesInTable: [Reference<Self>] {
        references.filter { table.index(of: $0.postgresColumn) != nil }
    }

    func complete(_ row: inout PostgresRow, center: Coordinates?) {}

    mutating func set(_ column: String, from row: PostgresRow) { take([column], from: row) }

    mutating func take(_ parts: PostgresParts) {}
}

extension Reference {
    var postgresColumn: String { "\(field)_id" }
}

extension Term: PostgresRecord where Vocabulary: WritableVocabulary {
    static var table: PostgresTable { kind == .category ? .categories : .eventTypes }
}

extension Person: PostgresRecord {
    static var table: PostgresTable { .users }
    static var furtherFields: FieldSet<Person> { ["role"] }

    mutating func addFormerSlug(of existing: Person) {}

    private var postgresClerkID: String { "sooke:\(id)" }

    /// The Go service does not know editors.
    func complete(_ row: inout PostgresRow, center: Coordinates?) {
        row["role_id"] = (role == .editor ? Role.generalUser : role).rawValue
        row["clerk_id"] = row["clerk_id"] ?? postgresClerkID
        row["display_name"] = row["display_name"] ?? ""
    }

    mutating func set(_ column: String, from row: PostgresRow) {
        switch column {
        case "role_id": role = row[column].flatMap { Role(rawValue: $0) } ?? role
        case "clerk_id" where row[column] == postgresClerkID: clerkID = nil
        default: take([column], from: row)
        }
    }
}

extension Business: PostgresRecord {
    static var table: PostgresTable { .businesses }
    static var furtherFields: FieldSet<Business> { ["hours", "menus"] }

    func complete(_ row: inout PostgresRow, center: Coordinates?) {
        guard coordinates == nil else { return }
        row["latitude"] = (center?.latitude).map(PostgresText.double)
        row["longitude"] = (center?.longitude).map(PostgresText.double)
    }
}

extension Event: PostgresRecord {
    static var table: PostgresTable { .events }
    static var furtherFields: FieldSet<Event> { ["starts_local", "ends_local", "all_day"] }

    /// The Go service refuses an event with a business and coordinates, requires a submitter, and knows no calendars.
    func complete(_ row: inout PostgresRow, center: Coordinates?) {
        if row["business_id"] != nil || coordinates == nil { (row["latitude"], row["longitude"]) = (nil, nil) }
        row["submitted_by"] = row["submitted_by"] ?? "\(PostgresProjection.nobody)"
        if withdrawnAt != nil { row["status"] = Status.draft.rawValue }
    }

    mutating func set(_ column: String, from row: PostgresRow) {
        switch column {
        case "starts_at": set(row[column], \.startsAt, \.startsLocal)
        case "ends_at": set(row[column], \.endsAt, \.endsLocal)
        case "submitted_by" where row[column] == "\(PostgresProjection.nobody)": submittedBy = nil
        default: take([column], from: row)
        }
    }

    mutating func take(_ parts: PostgresParts) {
        if business != nil { (latitude, longitude) = (nil, nil) }
    }

    /// A local time follows its instant only if the database has changed that, not if other zone data made it differ.
    private mutating func set(
        _ value: String?, _ instant: WritableKeyPath<Event, Timestamp?>, _ local: WritableKeyPath<Event, LocalTime?>
    ) {
        let given = value.flatMap { PostgresText.timestamp($0) }
        guard given != self[keyPath: instant] else { return }
        if allDay {
            // The other one has a time as well.
            (startsLocal, endsLocal) = (startsAt.map(LocalTime.init(instant:)), endsAt.map(LocalTime.init(instant:)))
            allDay = false
        }
        (self[keyPath: instant], self[keyPath: local]) = (given, given.map(LocalTime.init(instant:)))
    }
}

extension Business {
    var partRows: [PostgresRow] {
        // From the first opening of a day to the last closing, as the API shows them.
        var rows = hours.rowsOfWeek.map { partRow(.hours, $0, of: id) }
        var names: Set<ByteText> = []
        for menu in menus {
            var row = partRow(.menus, menu, of: id)
            let name = row["name"] ?? ""
            // Menus of an earlier version may share a name, which is unique in the Go service's table.
            if !names.insert(ByteText(name)).inserted { row["name"] = "\(name) (\(menu.id))" }
            rows.append(row)
            for item in menu.items {
                var row = partRow(.items, item, of: menu.id)
                row["price"] = row["price"] ?? "0.00"
                rows.append(row)
            }
        }
        return rows
    }

    private func partRow(_ table: PostgresTable, _ part: some RecordPart, of owner: Int) -> PostgresRow {
        var row = PostgresRow(table, of: part)
        if let parent = table.parent { row[parent] = "\(owner)" }
        // When a part was changed is not known; with the last change of its business, each would rewrite all rows.
        let created = times.created ?? Timestamp.epoch
        row.setTimes(created, created)
        return row
    }

    /// What a column cannot hold of a part stays as it is, unless the column was changed.
    mutating func take(_ parts: PostgresParts) {
        let own = partRows.byKey
        func rows(_ table: PostgresTable, of owner: Int) -> [PostgresRow] { parts[table]?["\(owner)"] ?? [] }
        takeDays(of: rows(.hours, of: id), own.values.filter { $0.table == .hours })
        let menusBefore = Dictionary(menus.map { ($0.id, $0) }) { first, _ in first }
        let itemsBefore = Dictionary(menus.flatMap(\.items).map { ($0.id, $0) }) { first, _ in first }
        func part<Part: RecordPart>(_ row: PostgresRow, _ before: [Int: Part]) -> Part {
            var part = before[row.id] ?? Part()
            part.take(["id"] + row.columns(differingFrom: own[row.key]), from: row)
            return part
        }
        menus = rows(.menus, of: id).map { row in
            var menu = part(row, menusBefore)
            menu.items = rows(.items, of: row.id).map { part($0, itemsBefore) }.sorted { $0.id < $1.id }
            return menu
        }.sorted { $0.id < $1.id }
    }

    /// Of the days whose rows differ from those that the business would have.
    private mutating func takeDays(of rows: [PostgresRow], _ own: [PostgresRow]) {
        func row(of day: Int, _ rows: [PostgresRow]) -> PostgresRow? { rows.first { $0["day_of_week"] == "\(day)" } }
        let changed = (0...6).filter { day in
            let before = row(of: day, own)
            return row(of: day, rows).map { !$0.columns(differingFrom: before).isEmpty } ?? (before != nil)
        }
        guard !changed.isEmpty else { return }
        hours.removeAll { changed.contains($0.dayOfWeek) }
        for row in changed.compactMap({ row(of: $0, rows) }) {
            var day = DayHours()
            day.take(row.table.columns.map(\.name), from: row)
            hours.append(day)
        }
        sortHours()
        // A text would count instead of the edited hours.
        openingHours = nil
    }
}
