/// A place in a file that is not a table: its values by the names of the columns that a table would have.
struct SourceRecord: Sendable {
    /// The line where it begins, from 1.
    var line: Int
    /// Where it is in the text of the file.
    var source: Range<Int>?
    /// The values. Each column occurs once.
    var cells: [(column: String, text: String)] = []
    /// Why it could not be read; the field is empty for the whole record.
    var problem: (field: String, message: String)?
    /// Whether the file cannot be read from here on.
    var isEndOfFile = false
    /// A warning about the file, in a record without values.
    var warning: String?
    /// What to add in the file for a field that is missing, by the field: such a file has no columns.
    var advice: [String: String] = [:]
    /// The names of what it has and an import does not use.
    var ignored: [String] = []

    init(line: Int) {
        self.line = line
    }

    /// A record that could not be read.
    ///
    /// - Parameter label: the name of the record; empty when that is not known.
    init(line: Int, problem field: String, _ message: String, _ label: String = "") {
        self.line = line
        problem = (field, message)
        givenLabel = label
    }

    private var givenLabel = ""

    /// The name of the record in messages; empty when it has none.
    var label: String {
        givenLabel.isEmpty
            ? (self["name"] ?? cells.first { FeatureProperties.isName($0.column) }?.text ?? "").excerpt() : givenLabel
    }

    init(line: Int, warning: String) {
        self.line = line
        self.warning = warning
    }

    subscript(_ column: String) -> String? { cells.first { $0.column == column }?.text }

    /// Adds a value, unless it is nil or the column has one.
    mutating func set(_ column: String, _ text: String?) {
        guard let text, self[column] == nil else { return }
        cells.append((column, text))
    }
}
