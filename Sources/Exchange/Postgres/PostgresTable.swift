import SookeModel
import Store

/// A table of the Go service's database, or one that an export adds to it.
package struct PostgresTable: Sendable {
    package struct Column: Sendable {
        /// The type of a column, as far as the text of its values depends on it.
        package enum Value: Sendable {
            case integer, double, numeric, boolean, text, time, timestamp
            /// The ID of a role, which a row has by name: the IDs of roles are the database's own.
            case role
        }

        package let name: String
        package let value: Value

        /// Whether the store decides its value: then an import does not compare it.
        package var isTime: Bool { name == "created_at" || name == "updated_at" }
    }

    /// Its name, without a schema.
    package let name: String
    package let columns: [Column]
    /// The number of columns of its key, which are the first.
    let keyCount: Int
    /// The columns, besides the ID, each of which has another value in each row.
    let uniqueColumns: [String]

    private init(
        _ name: String, keyCount: Int = 1, unique: [String] = [], _ columns: [(String, Column.Value)]
    ) {
        (self.name, self.keyCount, uniqueColumns) = (name, keyCount, unique)
        self.columns = columns.map { Column(name: $0.0, value: $0.1) }
    }

    /// A table of the Go service: an ID, the columns, and the two times.
    private init(ofService name: String, unique: [String] = [], _ columns: [(String, Column.Value)]) {
        self.init(
            name, unique: unique,
            [("id", .integer)] + columns + [("created_at", .timestamp), ("updated_at", .timestamp)])
    }

    package func index(of column: String) -> Int? { columns.firstIndex { $0.name == column } }
}

extension PostgresTable: Hashable {
    package static func == (left: PostgresTable, right: PostgresTable) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension PostgresTable {
    package static let users = PostgresTable(
        ofService: "users", unique: ["clerk_id", "email"],
        [("clerk_id", .text), ("role_id", .role), ("email", .text), ("display_name", .text)])
    package static let categories = PostgresTable(
        ofService: "business_categories", unique: ["name", "slug"], [("name", .text), ("slug", .text)])
    package static let eventTypes = PostgresTable(
        ofService: "event_types", unique: ["name", "slug"], [("name", .text), ("slug", .text)])
    package static let businesses = PostgresTable(
        ofService: "businesses", unique: ["slug"],
        [
            ("owner_id", .integer), ("category_id", .integer), ("name", .text), ("slug", .text),
            ("description", .text), ("phone", .text), ("email", .text), ("website", .text), ("address", .text),
            ("latitude", .double), ("longitude", .double),
        ])
    /// The days of businesses.
    package static let hours = PostgresTable(
        ofService: "business_hours",
        [
            ("business_id", .integer), ("day_of_week", .integer), ("open_time", .time), ("close_time", .time),
            ("is_closed", .boolean),
        ])
    package static let menus = PostgresTable(
        ofService: "menus", [("business_id", .integer), ("name", .text), ("description", .text)])
    package static let items = PostgresTable(
        ofService: "menu_items",
        [("menu_id", .integer), ("name", .text), ("description", .text), ("price", .numeric)])
    package static let events = PostgresTable(
        ofService: "events", unique: ["slug"],
        [
            ("event_type_id", .integer), ("submitted_by", .integer), ("business_id", .integer), ("name", .text),
            ("slug", .text), ("description", .text), ("latitude", .double), ("longitude", .double),
            ("starts_at", .timestamp), ("ends_at", .timestamp), ("status", .text),
        ])
    /// All of each record, as JSON: what the other tables cannot hold comes back from here.
    package static let documents = PostgresTable(
        "sooke_documents", keyCount: 2, [("kind", .text), ("id", .integer), ("document", .text)])

    /// The table with a row for each record of a kind; nil for kinds that the Go service does not have.
    static func of(_ kind: RecordKind) -> PostgresTable? { byKind[kind] }

    private static let byKind: [RecordKind: PostgresTable] = [
        .person: users, .category: categories, .eventType: eventTypes, .business: businesses, .event: events,
    ]

    /// The tables of the Go service with records, in the order in which they may refer to each other.
    package static let ofService = [users, categories, eventTypes, businesses, hours, menus, items, events]
    /// The tables whose IDs the town assigns, and their sequences there.
    static let sequences: [(PostgresTable, IDSequences.Sequence)] = [
        (users, .init(.person)), (categories, .init(.category)), (eventTypes, .init(.eventType)),
        (businesses, .init(.business)), (hours, .hours), (menus, .menu), (items, .item), (events, .init(.event)),
    ]
    /// All tables with rows of records.
    package static let all = ofService + [documents]
}
