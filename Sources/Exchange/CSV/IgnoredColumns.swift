import Bytes

/// The columns of a table that are not read.
struct IgnoredColumns {
    /// Those that the table does not have.
    var unknown: [String] = []
    /// Those with the meaning of another one, each with that one.
    var shadowed: [String] = []

    /// The most columns that a warning names.
    private static let listed = 10

    func warnings(known: [String]) -> [String] {
        var warnings: [String] = []
        if !unknown.isEmpty {
            let names = unknown.prefix(Self.listed).map { "\"\($0.excerpt())\"" }
            let near = unknown.prefix(Self.listed).compactMap { name in
                Suggestion.nearest(to: ColumnNames.normalized(name), in: known).map {
                    "\($0) for \"\(name.excerpt())\""
                }
            }
            let advice = near.isEmpty ? "" : "; did you mean \(near.joined(separator: ", "))?"
            warnings.append(Self.sentence(names, of: unknown.count, "not known and ignored") + advice)
        }
        if !shadowed.isEmpty {
            warnings.append(Self.sentence(Array(shadowed.prefix(Self.listed)), of: shadowed.count, "ignored"))
        }
        return warnings
    }

    private static func sentence(_ names: [String], of count: Int, _ predicate: String) -> String {
        let rest = count > names.count ? " and \(count - names.count) more" : ""
        let list = names.joined(separator: ", ") + rest
        return count == 1 ? "the column \(list) is \(predicate)" : "the columns \(list) are \(predicate)"
    }
}

/// The names of values that a file which is not a table has and an import does not use: one warning for the file.
struct IgnoredValues {
    /// The names, in the order of their first occurrence.
    private var names: [String] = []
    private var known: Set<String> = []
    /// The line of the first record with one.
    private var line = 0

    /// The most names in the warning.
    private static let listed = 20

    /// Removes from a record what its table does not use.
    mutating func take<Value>(from record: inout SourceRecord, _ table: CSVTable<Value>) {
        var columns: Set<String> = []
        var ignored = record.ignored
        record.cells.removeAll { name, _ in
            if let column = table.column(named: name), columns.insert(column.name).inserted { return false }
            ignored.append(name)
            return true
        }
        record.ignored = []
        if names.isEmpty { line = record.line }
        for name in ignored where known.insert(name).inserted { names.append(name) }
    }

    /// The warning; nil when all values are used.
    var warning: (line: Int, message: String)? {
        guard !names.isEmpty else { return nil }
        let list = names.prefix(Self.listed).map { $0.excerpt() }.joined(separator: ", ")
        let rest = names.count > Self.listed ? " and \(names.count - Self.listed) more" : ""
        return (line, "has values that were ignored, here or in later records: \(list)\(rest)")
    }
}
