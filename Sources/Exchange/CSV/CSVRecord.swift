import Bytes
import SookeModel

/// What the cells of one row have said so far.
struct CSVRecord<Value: Record> {
    var patch = Patch<Value>()
    var email: String?
    /// The days of the week that the table has a column for.
    var days: Set<Int> = []
    var problems = FieldProblems()
}

extension CSVRecord {
    /// Takes a cell for a text that may be absent: an empty cell says that there is none.
    mutating func set(_ field: Value.Field, _ path: WritableKeyPath<Value, String?>, _ cell: CSVCell) {
        patch.fields.insert(field)
        patch.values[keyPath: path] = cell.text.isEmpty && !cell.isQuoted ? nil : cell.text
    }

    /// Takes a cell for a text that must be there.
    mutating func set(_ field: Value.Field, _ path: WritableKeyPath<Value, String>, _ cell: CSVCell) {
        patch.fields.insert(field)
        patch.values[keyPath: path] = cell.text
    }

    /// Takes a cell for what has a shape of its own: an empty cell says that there is none.
    mutating func set<Shape>(
        _ field: Value.Field, _ path: WritableKeyPath<Value, Shape?>, _ cell: CSVCell, shape: String,
        _ make: (String) -> Shape?
    ) {
        patch.fields.insert(field)
        patch.values[keyPath: path] = read(cell, field.rawValue, shape: shape, make)
    }

    /// Takes a cell for the record's number; an empty cell says nothing.
    mutating func setID(_ field: Value.Field, _ cell: CSVCell) {
        guard let id = read(cell, field.rawValue, shape: "a whole number", Self.wholeNumber) else { return }
        patch.fields.insert(field)
        patch.values.id = id
    }

    /// Takes a cell for a person: a number, or an e-mail address to be looked up later.
    mutating func setPerson(_ field: Value.Field, _ path: WritableKeyPath<Value, Int?>, _ cell: CSVCell) {
        patch.fields.insert(field)
        let text = cell.text.trimmed
        patch.values[keyPath: path] = Self.wholeNumber(text)
        email = text.isEmpty || Self.wholeNumber(text) != nil ? nil : text
    }

    /// Reads a cell of a shape, spaces around it aside; nil when it is empty or, which is noted, has another shape.
    mutating func read<Shape>(
        _ cell: CSVCell, _ column: String, shape: String, _ make: (String) -> Shape?
    ) -> Shape? {
        let text = cell.text.trimmed
        guard !text.isEmpty else { return nil }
        let value = text.utf8.count <= Self.longestShape ? make(text) : nil
        if value == nil { problems.add(column, "must be \(shape), not \"\(text.excerpt())\"") }
        return value
    }

    /// Takes a cell for the slug of another record, which may be absent.
    mutating func setSlug(_ field: Value.Field, _ path: WritableKeyPath<Value, Slug?>, _ cell: CSVCell) {
        patch.fields.insert(field)
        patch.values[keyPath: path] = cell.text.isEmpty ? nil : Slug(cell.text)
    }

    /// Takes a cell for degrees, which may be absent.
    mutating func setDegrees(_ field: Value.Field, _ path: WritableKeyPath<Value, Double?>, _ cell: CSVCell) {
        set(field, path, cell, shape: "a number like 48.374", Double.init(decimal:))
    }

    /// No cell of a shape has more bytes; a longer one is not looked at.
    private static var longestShape: Int { 256 }

    private static func wholeNumber(_ text: String) -> Int? {
        text.utf8.allSatisfy(ASCII.isDigit) ? Int(text) : nil
    }
}
