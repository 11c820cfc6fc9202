import SookeModel
import Store

/// A table of the Go service's database, or one that an export adds to it.
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
        package var isTime: Bool { name == "created_at" || name == "updated_at" }
    }

    package let name: String
    package let columns: [Column]
    /// Besides the ID; no two rows have the same value.
    let uniqueColumns: [String]
    /// The records of which it has rows; nil for all.
    let kind: RecordKind?

    private init(_ name: String, _ kind: RecordKind?, unique: [String] = [], _ columns: [(String, Column.Value)]) {
        (self.name, self.kind, uniqueColumns) = (name, kind, unique)
        self.columns = columns.map { Column(name: $0.0, value: $0.1) }
    }

    private init(ofService name: String, _ kind: RecordKind, unique: [String] = [], _ columns: [(String, Column.Value)])
    {
        self.init(
            name, kind, unique: unique,
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
        ofService: "users", .person, unique: ["clerk_id", "email"],
        [("clerk_id", .text), ("role_id", .role), ("email", .text), ("display_name", .text)])
    package static let categories = PostgresTable(
        ofService: "business_categories", .category, unique: ["name", "slug"], [("name", .text), ("slug", .text)])
    package static let eventTypes = PostgresTable(
        ofService: "event_types", .eventType, unique: ["name", "slug"], [("name", .text), ("slug", .text)])
    package static let businesses = PostgresTable(
        ofService: "businesses", .business, unique: ["slug"],
        [
            ("owner_id", .integer), ("category_id", .integer), ("name", .text), ("slug", .text),
            ("description", .text), ("phone", .text), ("email", .text), ("website", .text), ("address", .text),
            ("latitude", .double), ("longitude", .double),
        ])
    package static let hours = PostgresTable(
        ofService: "business_hours", .business,
        [
            ("business_id", .integer), ("day_of_week", .integer), ("open_time", .time), ("close_time", .time),
            ("is_closed", .boolean),
        ])
    package static let menus = PostgresTable(
        ofService: "menus", .business, [("business_id", .integer), ("name", .text), ("description", .text)])
    package static let items = PostgresTable(
        ofService: "menu_items", .business,
        [("menu_id", .integer), ("name", .text), ("description", .text), ("price", .numeric)])
    package static let events = PostgresTable(
        ofService: "events", .event, unique: ["slug"],
        [
            ("event_type_id", .integer), ("submitted_by", .integer), ("business_id", .integer), ("name", .text),
            ("slug", .text), ("description", .text), ("latitude", .double), ("longitude", .double),
            ("starts_at", .timestamp), ("ends_at", .timestamp), ("status", .text),
        ])
    /// What the other tables cannot hold comes back from here.
    package static let documents = PostgresTable(
        "sooke_documents", nil, [("kind", .text), ("id", .integer), ("document", .text)])

    static func of(_ kind: RecordKind) -> PostgresTable? { ofService.first { $0.kind == kind } }

    /// In the order in which they may refer to each other.
    package static let ofService = [users, categories, eventTypes, businesses, hours, menus, items, events]
    static let sequences: [(PostgresTable, IDSequences.Sequence)] = [
        (users, .init(.person)), (categories, .init(.category)), (eventTypes, .init(.eventType)),
        (businesses, .init(.business)), (hours, .hours), (menus, .menu), (items, .item), (events, .init(.event)),
    ]
    package static let all = ofService + [documents]
}

/// A row as text: the export copies it, the follower applies it, and an import compares it.
package struct PostgresRow: Sendable {
    package let table: PostgresTable
    /// In the order of the columns; nil for NULL. A role is its name.
    package let values: [String?]

    package init(_ table: PostgresTable, _ values: [String?]) {
        precondition(values.count == table.columns.count, "a row of \(table.name) with other columns")
        (self.table, self.values) = (table, values)
    }

    package subscript(_ column: String) -> String? {
        guard let index = table.index(of: column) else { preconditionFailure("\(table.name) has no \(column)") }
        return values[index]
    }

    func append(toCopy bytes: inout [UInt8]) {
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\t")) }
            bytes.append(copied: value)
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension PostgresRow: Equatable {
    /// By bytes: texts that are canonically equivalent differ in a database.
    package static func == (left: PostgresRow, right: PostgresRow) -> Bool {
        left.table == right.table && left.values.indices.allSatisfy { left.hasSameValue(as: right, $0) }
    }

    fileprivate func hasSameValue(as other: PostgresRow, _ index: Int) -> Bool {
        guard let value = values[index], let otherValue = other.values[index] else {
            return values[index] == nil && other.values[index] == nil
        }
        return value.hasSameBytes(as: otherValue)
    }

    var id: Int { values[0].flatMap { Int($0) } ?? 0 }

    struct Key: Hashable {
        let table: PostgresTable
        let id: Int
    }

    var key: Key { Key(table: table, id: id) }

    /// Without those of times; all of them without another row.
    func columns(differingFrom other: PostgresRow?) -> [String] {
        values.indices.filter { index in
            !table.columns[index].isTime && !(other.map { hasSameValue(as: $0, index) } ?? false)
        }.map { table.columns[$0].name }
    }

    static func haveSameValues(_ one: PostgresRow?, _ other: PostgresRow?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.columns(differingFrom: other).isEmpty
    }
}

extension PostgresRow {
    var delete: String { "DELETE FROM \(table.name) WHERE id = \(id)" }
}
