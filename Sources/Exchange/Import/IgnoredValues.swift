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
