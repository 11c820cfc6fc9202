/// The content of a file.
struct FileRows: Sendable {
    /// The records and problems, in the order of their lines.
    var rows: [ImportRow] = []
    /// Whether all of the file could be read. If not, records may refer to one that was not read.
    private(set) var isWhole = true

    /// Adds a problem that prevents reading a part of the file.
    mutating func refuse(line: Int, _ field: String, _ message: String) {
        isWhole = false
        rows.append(ImportRow(line: line, problem: field, message))
    }
}
