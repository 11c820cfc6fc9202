/// Postgres plans it once a session: for each row that takes longer than the row.
extension PostgresTable {
    /// Inserts the row in `given.cells`, or replaces the one with its key except for the time of its creation. A new
    /// row replaces none: what is there is not from here.
    var stepOfFollower: String {
        let names = columns.map(\.name)
        let values = columns.enumerated().map { index, column in
            let lookup = lookups[column.name]
            let cell = "given.cells[\(index + 1)]::\(lookup?.type ?? column.value.type)"
            return lookup?.expression(cell) ?? cell
        }
        let updates = names.dropFirst(keyCount).filter { $0 != "created_at" }.map { "\($0) = EXCLUDED.\($0)" }
        return "WHEN \(name.postgresLiteral) THEN INSERT INTO \(name) (\(names.joined(separator: ", "))) "
            + "VALUES (\(values.joined(separator: ", "))) "
            + "ON CONFLICT (\(names.prefix(keyCount).joined(separator: ", "))) "
            + "DO UPDATE SET \(updates.joined(separator: ", ")) "
            + "WHERE NOT given.is_new OR pg_temp.sooke_refuse(\(name.postgresLiteral), \(name).id);"
    }

    private typealias Lookup = (type: String, expression: (_ cell: String) -> String)

    /// What a row takes from other records, by column: the type of the value that is given, and the SQL for it.
    private var lookups: [String: Lookup] {
        func id(in table: PostgresTable) -> Lookup {
            ("text", { "(SELECT id FROM \(table.name) WHERE slug = \($0))" })
        }
        func creation(_ query: String) -> [String: Lookup] {
            let lookup: Lookup = ("timestamptz", { _ in "(\(query) = given.cells[2]::bigint)" })
            return ["created_at": lookup, "updated_at": lookup]
        }
        return switch self {
        case .users: ["role_id": ("text", { "(SELECT id FROM user_roles WHERE name = \($0))" })]
        case .businesses:
            [
                "category_id": id(in: .categories),
                "latitude": ("double precision", { "COALESCE(\($0), sooke_center(1))" }),
                "longitude": ("double precision", { "COALESCE(\($0), sooke_center(2))" }),
            ]
        case .events: ["event_type_id": id(in: .eventTypes), "business_id": id(in: .businesses)]
        case .hours, .menus: creation("SELECT created_at FROM businesses WHERE id")
        case .items:
            creation("SELECT b.created_at FROM menus m JOIN businesses b ON b.id = m.business_id WHERE m.id")
        default: [:]
        }
    }
}

extension PostgresTable.Column.Value {
    fileprivate var type: String {
        switch self {
        case .integer: "bigint"
        case .double: "double precision"
        case .numeric: "numeric"
        case .boolean: "boolean"
        case .text, .role: "text"
        case .time: "time"
        case .timestamp: "timestamptz"
        }
    }
}
