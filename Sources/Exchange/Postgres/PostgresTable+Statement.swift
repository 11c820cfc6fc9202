/// The statement of a table that the follower prepares: parsing and planning it for each row takes longer than the row.
extension PostgresTable {
    /// The name of the statement.
    var statement: String { "put_\(name)" }

    /// Prepares the statement that inserts a row, or replaces the one with its key except for the time of its creation.
    var preparation: String {
        let names = columns.map(\.name)
        let types = columns.map { column in lookups[column.name]?.type ?? column.value.type }
        let values = columns.indices.map { index in
            let parameter = "$\(index + 1)"
            guard let lookup = lookups[names[index]] else { return parameter }
            return lookup.expression.split(separator: "?", omittingEmptySubsequences: false).joined(
                separator: parameter)
        }
        let updates = names.dropFirst(keyCount).filter { $0 != "created_at" }.map { "\($0) = EXCLUDED.\($0)" }
        return "PREPARE \(statement) (\(types.joined(separator: ", "))) AS INSERT INTO \(name) "
            + "(\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", "))) "
            + "ON CONFLICT (\(names.prefix(keyCount).joined(separator: ", "))) "
            + "DO UPDATE SET \(updates.joined(separator: ", "))"
    }

    /// What a row takes from other records, by the names of its columns: the type of the value that is given, and the SQL
    /// with a question mark for it.
    private var lookups: [String: (type: String, expression: String)] {
        func id(in table: PostgresTable) -> (String, String) {
            ("text", "(SELECT id FROM \(table.name) WHERE slug = ?)")
        }
        func creation(_ query: String) -> [String: (type: String, expression: String)] {
            ["created_at": ("timestamptz", "(\(query))"), "updated_at": ("timestamptz", "(\(query))")]
        }
        return switch self {
        case .users: ["role_id": ("text", "(SELECT id FROM user_roles WHERE name = ?)")]
        case .businesses:
            [
                "category_id": id(in: .categories), "latitude": ("double precision", "COALESCE(?, sooke_center(1))"),
                "longitude": ("double precision", "COALESCE(?, sooke_center(2))"),
            ]
        case .events: ["event_type_id": id(in: .eventTypes), "business_id": id(in: .businesses)]
        case .hours, .menus: creation("SELECT created_at FROM businesses WHERE id = $2")
        case .items:
            creation("SELECT b.created_at FROM menus m JOIN businesses b ON b.id = m.business_id WHERE m.id = $2")
        default: [:]
        }
    }
}

extension PostgresTable.Column.Value {
    /// The name of the type in SQL.
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
