import SookeModel
import Store

/// A table of the Go service's database: the export fills it, the follower keeps it, and an import reads it.
package struct PostgresTable: Sendable {
    package struct Column: Sendable {
        package enum Value: Sendable {
            case integer, double, numeric, boolean, text, time, timestamp
            /// Which a row has by name: the IDs of roles are the database's own.
            case role
        }

        package let name: String
        package let value: Value

        /// The store decides its value, so an import does not compare it.
        package var isTime: Bool { RecordTimes.names.contains(name) }
    }

    package let name: String
    package let columns: [Column]
    /// No two rows have the same values of these.
    let uniqueColumns: [String]
    let kind: RecordKind
    let sequence: IDSequences.Sequence
    /// The column with the ID of what has its rows, which are parts; nil for a table of records.
    let parent: String?

    private init(
        _ name: String, _ kind: RecordKind, part: IDSequences.Sequence? = nil, unique: [String] = [],
        _ columns: KeyValuePairs<String, Column.Value>
    ) {
        (self.name, self.kind, uniqueColumns) = (name, kind, unique)
        (sequence, parent) = (part ?? IDSequences.Sequence(kind), part.flatMap { _ in columns.first?.key })
        self.columns =
            [Column(name: "id", value: .integer)] + columns.map { Column(name: $0.key, value: $0.value) }
            + RecordTimes.names.map { Column(name: $0, value: .timestamp) }
    }

    package func index(of column: some StringProtocol) -> Int? {
        columns.firstIndex { $0.name.utf8.elementsEqual(column.utf8) }
    }
}

extension PostgresTable: Hashable {
    package static func == (left: PostgresTable, right: PostgresTable) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension PostgresTable {
    package static let users = PostgresTable(
        "users", .person, unique: ["clerk_id", "email"],
        ["clerk_id": .text, "role_id": .role, "email": .text, "display_name": .text])
    package static let categories = PostgresTable(
        "business_categories", .category, unique: ["name", "slug"], ["name": .text, "slug": .text])
    package static let eventTypes = PostgresTable(
        "event_types", .eventType, unique: ["name", "slug"], ["name": .text, "slug": .text])
    package static let businesses = PostgresTable(
        "businesses", .business, unique: ["slug"],
        [
            "owner_id": .integer, "category_id": .integer, "name": .text, "slug": .text, "description": .text,
            "phone": .text, "email": .text, "website": .text, "address": .text, "latitude": .double,
            "longitude": .double,
        ])
    package static let hours = PostgresTable(
        "business_hours", .business, part: .hours, unique: ["business_id", "day_of_week"],
        [
            "business_id": .integer, "day_of_week": .integer, "open_time": .time, "close_time": .time,
            "is_closed": .boolean,
        ])
    package static let menus = PostgresTable(
        "menus", .business, part: .menu, unique: ["business_id", "name"],
        ["business_id": .integer, "name": .text, "description": .text])
    package static let items = PostgresTable(
        "menu_items", .business, part: .item,
        ["menu_id": .integer, "name": .text, "description": .text, "price": .numeric])
    package static let events = PostgresTable(
        "events", .event, unique: ["slug"],
        [
            "event_type_id": .integer, "submitted_by": .integer, "business_id": .integer, "name": .text, "slug": .text,
            "description": .text, "latitude": .double, "longitude": .double, "starts_at": .timestamp,
            "ends_at": .timestamp, "status": .text,
        ])

    /// In the order in which they may refer to each other.
    package static let all = [users, categories, eventTypes, businesses, hours, menus, items, events]
    static let mostColumns = 14
}
