import Bytes
import SookeModel
import Store

/// The record in one row.
struct CSVRecord<Value: WritableRecord> {
    private var patch = Patch<Value>()
    /// The e-mail address of the person in the row; nil when they are given by ID.
    private var email: String?
    private var problems = FieldProblems()
    private var warnings = FieldProblems()
    /// The cells of fields, by the indexes of the fields.
    private var cells = [CSVCell?](repeating: nil, count: Value.fields.descriptions.count)
    private var days: [(text: String, column: String, day: Int)] = []
    private var times = EventTimeCells()
    /// The place in one cell.
    private var place: Coordinates?

    init(_ table: CSVTable<Value>) {
        if table.layout.hours != nil { days.reserveCapacity(7) }
    }

    /// Adds a warning about the row.
    mutating func warn(_ field: String, _ message: String) {
        warnings.add(field, message)
    }

    /// Reads a cell.
    @inline(__always)
    mutating func read(_ cell: CSVCell, in column: CSVTable<Value>.Column) {
        if let error = DamagedCell.error(in: cell.text) {
            return warnings.add(column.name, "holds \(error) instead of its value; the cell was left out")
        }
        switch column.content {
        case .field(let field, .plain): cells[field] = cell
        case .field(let field, let notation): cells[field] = read(cell, notation, column.name)
        case .person(let field): cells[field] = readPerson(cell)
        case .day(let day): days.append((cell.text.trimmed, column.name, day))
        case .part(let part): times.parts[part] = cell.text.trimmed
        case .coordinates:
            let text = cell.text.trimmed
            guard !text.isEmpty else { return }
            do throws(PlaceTextError) {
                place = try PlaceText.coordinates(text)
            } catch {
                problems.add(column.name, "\(error)")
            }
        }
    }

    /// The cell in the form of an export; nil to leave it out.
    private mutating func read(_ cell: CSVCell, _ notation: CellNotation, _ column: String) -> CSVCell? {
        let text = cell.text.trimmed
        guard !text.isEmpty else {
            switch notation {
            case .start: times.start = ""
            case .end: times.end = ""
            default: return cell
            }
            return nil
        }
        switch notation {
        case .plain: break
        case .openingHours: return Self.readingNotation(cell)
        case .latitude, .longitude: return readAngle(text, isLatitude: notation == .latitude) ?? cell
        case .website where Self.lacksScheme(text): return CSVCell(text: "https://" + text, isQuoted: true)
        case .website: break
        case .phone where DamagedCell.isScientific(text):
            warnings.add(
                column, "\"\(text)\" is a number that the spreadsheet rounded; the cell was left out. Format the column as text"
            )
            return nil
        case .phone: break
        case .start:
            times.start = text
            return nil
        case .end:
            times.end = text
            return nil
        case .word: return CSVCell(text: ColumnNames.normalized(text), isQuoted: cell.isQuoted)
        }
        return cell
    }

    /// A latitude or longitude in decimal, or nil. A cell that holds both is the place of the row.
    private mutating func readAngle(_ text: String, isLatitude: Bool) -> CSVCell? {
        if Double(decimal: text) != nil { return nil }
        if let angle = try? isLatitude ? PlaceText.latitude(text) : PlaceText.longitude(text) { return CSVCell(text: "\(angle)", isQuoted: false) }
        guard isLatitude, let both = try? PlaceText.coordinates(text) else { return nil }
        place = both
        return CSVCell(text: "", isQuoted: false)
    }

    /// Whether a text is a web address without its scheme, such as `www.x.example`.
    private static func lacksScheme(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.contains(UInt8(ascii: ".")) && !bytes.contains { $0 <= 0x20 || $0 == UInt8(ascii: "@") }
            && !text.hasPrefix("http:") && !text.hasPrefix("https:") && !bytes.contains(UInt8(ascii: ":"))
            && bytes.first != UInt8(ascii: ".") && bytes.first != UInt8(ascii: "/")
    }

    /// Removes the e-mail address from the cell of a person, to be looked up later.
    private mutating func readPerson(_ cell: CSVCell) -> CSVCell {
        let text = cell.text.trimmed
        guard !text.isEmpty, Int(cell: text, isQuoted: false) == nil else { return cell }
        email = text
        return CSVCell(text: "", isQuoted: false)
    }

    /// The cell with opening hours in the syntax of OpenStreetMap, if it has them as people write them. Validation tells
    /// what is wrong with another text.
    private static func readingNotation(_ cell: CSVCell) -> CSVCell {
        let text = cell.text.trimmed
        guard (try? OpeningHours(text)) == nil, let hours = try? HoursNotation.hours(text) else { return cell }
        return CSVCell(text: hours.text, isQuoted: cell.isQuoted)
    }

    /// Adds a problem for a cell of another form.
    fileprivate mutating func refuse(_ text: String, _ column: String, shape: String) {
        problems.add(column, "must be \(shape), not \"\(text.excerpt())\"")
    }
}

/// The end of a row.
extension CSVRecord {
    /// The row of an import.
    ///
    /// - Parameter days: see `TableNames`.
    consuming func row(line: Int, of table: CSVTable<Value>, days: Set<Int>) -> ImportRow {
        var record = self
        record.addPlace()
        let localTimes = record.addTimes()
        var reader = CellReader(cells: record.cells, record: record)
        Value.visit(&reader)
        record = reader.record
        for time in localTimes { record.patch.fields.insert(time.field) }
        if let hours = table.layout.hours, !record.days.isEmpty { record.addHours(at: hours) }
        let names = TableNames(person: table.person, email: record.email, days: days, localTimes: localTimes)
        return ImportRow(
            line: line, patch: record.patch, problems: record.problems, warnings: record.warnings, names: names)
    }

    private mutating func addPlace() {
        let fields = ["latitude", "longitude"].map { Value.fields.knownIndex(of: $0) }
        if let place {
            for (field, value) in zip(fields, [place.latitude, place.longitude]) where cells[field]?.text.trimmed.isEmpty != false {
                cells[field] = CSVCell(text: "\(value)", isQuoted: false)
            }
        }
        let numbers = fields.map { cells[$0].flatMap { Double(decimal: $0.text.trimmed) } }
        if let first = numbers[0], let second = numbers[1], abs(first) > 90, abs(first) <= 180, abs(second) <= 90 {
            problems.add("latitude", "must lie between -90 and 90 degrees; are latitude and longitude swapped?")
        }
    }

    /// Reads the start and the end of an event; those on the clocks of a zone are returned.
    private mutating func addTimes() -> [TableNames.LocalTime] {
        guard times.hasStart || times.hasEnd else { return [] }
        let (start, end) = times.moments(&problems)
        var local: [TableNames.LocalTime] = []
        for (field, isThere, moment) in [("starts_at", times.hasStart, start), ("ends_at", times.hasEnd, end)] where isThere {
            switch moment {
            case .exact(let moment): cells[Value.fields.knownIndex(of: field)] = CSVCell(text: moment.rfc3339, isQuoted: false)
            case .local(let date, let seconds):
                local.append(TableNames.LocalTime(field: field, date: date, secondsOfDay: seconds))
            case nil: cells[Value.fields.knownIndex(of: field)] = CSVCell(text: "", isQuoted: false)
            }
        }
        return local
    }

    private mutating func addHours(at hours: WritableKeyPath<Value, [DayHours]>) {
        patch.fields.insert("hours")
        for (text, column, day) in days where !text.isEmpty {
            do throws(OpeningHoursError) {
                patch.values[keyPath: hours] += try [DayHours](cell: text, on: day)
            } catch {
                problems.add(column, "must be \(DayHours.cellShape), not \"\(text.excerpt())\" (\(error))")
            }
        }
    }
}

/// Reads each field from its cell.
private struct CellReader<Value: WritableRecord>: FieldVisitor {
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
        record.insert(index)
        if let value {
            record.set(value, at: path)
        } else {
            record.refuse(text, "\(name)", shape: shape ?? "a text")
        }
    }
}

extension CSVRecord {
    fileprivate mutating func insert(_ field: Int) { patch.fields.insert(field) }

    fileprivate mutating func set<Member>(_ value: Member, at path: WritableKeyPath<Value, Member>) {
        patch.values[keyPath: path] = value
    }
}
