import Bytes
import SookeModel
import Store

protocol PostgresRecord: WritableRecord {
    mutating func set(_ column: String, _ value: String?, _ slugs: PostgresSlugs)

    mutating func keepFormerSlug(of existing: Self)

    static var fieldsInTables: FieldSet<Self> { get }
}

struct PostgresSlugs: Sendable {
    var slugs: [RecordKind: [Int: Slug]] = [:]
    var people: Set<Int> = []

    func slug(_ kind: RecordKind, _ id: String?) -> Slug? { id.flatMap { Int($0) }.flatMap { slugs[kind]?[$0] } }
}

extension PostgresRecord {
    mutating func set(_ column: String, _ value: String?, _ slugs: PostgresSlugs) { setField(column, value, slugs) }

    /// A column has the name of its field, or that of a reference with `_id`.
    fileprivate mutating func setField(_ column: String, _ value: String?, _ slugs: PostgresSlugs) {
        if let reference = Self.references.first(where: { "\($0.field)_id" == column }) {
            return reference.setSlug(slugs.slug(reference.kind, value), in: &self)
        }
        var setter = FieldSetter(name: column, text: value, record: self)
        Self.visit(&setter)
        self = setter.record
    }

    mutating func keepFormerSlug(of existing: Self) {}
}

/// Sets the field with a name; a text that is not one of its values changes nothing.
private struct FieldSetter<Subject: Described>: FieldVisitor {
    let name: String
    let text: String?
    var record: Subject

    mutating func field<Value: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Subject, Value>, _ rule: Value.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        guard "\(name)" == self.name, let value = Value(cell: text ?? "", isQuoted: text != nil) else { return }
        record[keyPath: path] = value
    }
}

extension Person: PostgresRecord {
    mutating func set(_ column: String, _ value: String?, _ slugs: PostgresSlugs) {
        let isMade = column == "clerk_id" && value == PostgresProjection.clerkID(of: id)
        setField(column == "role_id" ? "role" : column, isMade ? nil : value, slugs)
    }

    static let fieldsInTables: FieldSet<Person> = ["id", "clerk_id", "role", "email", "display_name"]
}

extension Term: PostgresRecord where Vocabulary: WritableVocabulary {
    static var fieldsInTables: FieldSet<Self> { .all }
}

extension Business: PostgresRecord {
    mutating func keepFormerSlug(of existing: Business) { addFormerSlug(of: existing) }

    static let fieldsInTables: FieldSet<Business> = [
        "id", "owner_id", "category", "name", "slug", "description", "phone", "email", "website", "address",
        "latitude", "longitude", "hours", "menus",
    ]
}

extension Event: PostgresRecord {
    mutating func set(_ column: String, _ value: String?, _ slugs: PostgresSlugs) {
        switch column {
        case "starts_at": set(value, \.startsAt, \.startsLocal)
        case "ends_at": set(value, \.endsAt, \.endsLocal)
        case "submitted_by" where value == "\(PostgresProjection.nobody)": submittedBy = nil
        default: setField(column, value, slugs)
        }
    }

    /// The local time of an instant that the database has changed follows from it; another one stays, also where other
    /// zone data made its instant.
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

    mutating func keepFormerSlug(of existing: Event) { addFormerSlug(of: existing) }

    static let fieldsInTables: FieldSet<Event> = [
        "id", "event_type", "submitted_by", "business", "name", "slug", "description", "latitude", "longitude",
        "starts_local", "ends_local", "all_day", "starts_at", "ends_at", "status",
    ]
}

extension Business {
    /// Of the days whose rows differ from those that the business would have.
    mutating func take(hours rows: [PostgresRow], _ projection: PostgresProjection) {
        let own = Dictionary(projection.hourRows(of: self).map { ($0["day_of_week"], $0) }) { first, _ in first }
        let given = Dictionary(rows.map { ($0["day_of_week"], $0) }) { first, _ in first }
        let changed = (0...6).filter { day in !PostgresRow.haveSameValues(own["\(day)"], given["\(day)"]) }
        guard !changed.isEmpty else { return }
        hours.removeAll { changed.contains($0.dayOfWeek) }
        hours += changed.compactMap { day in given["\(day)"].flatMap(DayHours.init(row:)) }
        sortHours()
        // A text would count instead of the edited hours.
        openingHours = nil
    }

    /// What a column cannot hold of a text stays as it is.
    mutating func take(menus rows: [PostgresRow], items: [String?: [PostgresRow]], _ projection: PostgresProjection) {
        let menusBefore = Dictionary(menus.map { ($0.id, $0) }) { first, _ in first }
        let itemsBefore = Dictionary(menus.flatMap(\.items).map { ($0.id, $0) }) { first, _ in first }
        let ownRows = projection.menuRows(of: self) + projection.itemRows(of: self)
        let own = Dictionary(ownRows.map { ($0.key, $0) }) { first, _ in first }
        func value(_ column: String, of row: PostgresRow, _ stored: String??) -> String? {
            let before = own[row.key]
            if let before, let stored, !row.columns(differingFrom: before).contains(column) { return stored }
            return row[column]
        }
        menus = rows.map { row in
            var menu = Menu()
            menu.id = row.id
            let before = menusBefore[menu.id]
            menu.name = value("name", of: row, before.map(\.name)) ?? ""
            menu.description = value("description", of: row, before.map(\.description))
            menu.items = (items[row["id"]] ?? []).map { row in
                var item = MenuItem()
                item.id = row.id
                let before = itemsBefore[item.id]
                item.name = value("name", of: row, before.map(\.name)) ?? ""
                item.description = value("description", of: row, before.map(\.description))
                item.price = Price(value("price", of: row, before.map(\.price.text)) ?? "") ?? .unpriced
                return item
            }
            return menu
        }
        sortMenus()
    }

    private mutating func sortMenus() {
        menus.sort { $0.id < $1.id }
        for index in menus.indices { menus[index].items.sort { $0.id < $1.id } }
    }
}

extension DayHours {
    fileprivate init?(row: PostgresRow) {
        guard let day = row["day_of_week"].flatMap({ Int($0) }),
            let opens = row["open_time"].flatMap({ ClockTime($0) }),
            let closes = row["close_time"].flatMap({ ClockTime($0) })
        else { return nil }
        self.init(dayOfWeek: day, opens: opens, closes: closes, isClosed: row["is_closed"] == "t")
        id = row.id
    }
}
