/// What reading a file gives.
struct FileRows: Sendable {
    /// The records and problems, in the order of their lines.
    var rows: [ImportRow] = []
    /// Whether all of the file could be read. When not, what names a record may name one that was not read.
    private(set) var isWhole = true

    /// Notes what keeps a part of the file from being read.
    mutating func refuse(line: Int, _ field: String, _ message: String) {
        isWhole = false
        rows.append(ImportRow(line: line, problem: field, message))
    }
}
