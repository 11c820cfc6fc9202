import Bytes
import SookeModel

/// The record in one row.
struct CSVRecord<Value: Record> {
    var patch = Patch<Value>()
    /// The e-mail address of the person in the row; nil when they are given by ID.
    var email: String?
    var problems = FieldProblems()

    /// Reads the cells of fields, by the indexes of the fields.
    mutating func read(_ cells: [CSVCell?]) {
        var reader = CellReader(cells: cells, record: self)
        Value.visit(&reader)
        self = reader.record
    }

    /// Removes the e-mail address from the cell of a person, to be looked up later.
    mutating func readPerson(_ cell: CSVCell) -> CSVCell {
        let text = cell.text.trimmed
        guard !text.isEmpty, Int(cell: text, isQuoted: false) == nil else { return cell }
        email = text
        return CSVCell(text: "", isQuoted: false)
    }

    /// Reads the hours of a day.
    mutating func readHours(
        _ cell: CSVCell, _ column: String, on day: Int, at hours: WritableKeyPath<Value, [DayHours]>
    ) {
        let text = cell.text.trimmed
        guard !text.isEmpty else { return }
        do throws(OpeningHoursError) {
            patch.values[keyPath: hours] += try [DayHours](cell: text, on: day)
        } catch {
            problems.add(column, "must be \(DayHours.cellShape), not \"\(text.excerpt())\" (\(error))")
        }
    }

    /// The cell with opening hours in the syntax of OpenStreetMap, if it has them as people write them. Validation tells
    /// what is wrong with another text.
    static func readingNotation(_ cell: CSVCell) -> CSVCell {
        let text = cell.text.trimmed
        guard !text.isEmpty, (try? OpeningHours(text)) == nil, let hours = try? HoursNotation.hours(text) else {
            return cell
        }
        return CSVCell(text: hours.text, isQuoted: cell.isQuoted)
    }

    /// Adds a problem for a cell of another form.
    mutating func refuse(_ text: String, _ column: String, shape: String) {
        problems.add(column, "must be \(shape), not \"\(text.excerpt())\"")
    }
}

/// Reads each field from its cell.
private struct CellReader<Value: Record>: FieldVisitor {
    typealias Subject = Value

    let cells: [CSVCell?]
    var record: CSVRecord<Value>
    var index = 0

    mutating func field<Member: FieldValue>(
        _ name: StaticString, _ path: WritableKeyPath<Value, Member>, _ rule: Member.Rule, _ options: FieldOptions,
        _ explanation: StaticString
    ) {
        defer { index += 1 }
        guard let cell = cells[index] else { return }
        let shape = Member.cellShape
        let text = shape == nil ? cell.text : cell.text.trimmed
        if text.isEmpty, !Member.hasEmptyCell { return }
        let isRead = shape == nil || text.utf8.count <= Member.longestShape
        let value = isRead ? Member(cell: text, isQuoted: cell.isQuoted) : nil
        record.patch.fields.insert(index)
        if let value {
            record.patch.values[keyPath: path] = value
        } else {
            record.refuse(text, "\(name)", shape: shape ?? "a text")
        }
    }
}
