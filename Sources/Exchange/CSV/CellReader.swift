import Bytes
import SookeModel
import Store

/// Reads the cells of a row, and makes a record of them in one visit of its fields.
struct CellReader<Value: WritableRecord>: FieldVisitor {
    typealias Subject = Value

    private let table: CSVTable<Value>
    private var row: ImportRow
    private var patch = Patch<Value>()
    private var cells = [CSVCell?](repeating: nil, count: Value.fields.descriptions.count)
    /// `width` is the number of days of the column.
    private var days: [(text: String, column: String, day: Int, width: Int)] = []
    private var edges: [(edge: ColumnNames.DayEdge, text: String, column: String)] = []
    private var times = EventTimeCells()
    private var place: Coordinates?
    private var unreadPlace: (text: String, problem: String)?
    /// As in an export; else white space around texts and words for nothing are removed.
    private let keepsTexts: Bool
    private var index = 0

    private static var longestWord: Int { 40 }

    init(
        _ table: CSVTable<Value>, _ row: ImportRow, order: MomentText.DayOrder? = nil, keepsTexts: Bool = false
    ) {
        (self.table, self.row, self.keepsTexts) = (table, row, keepsTexts)
        times.order = order
        if table.layout.hours != nil { days.reserveCapacity(7) }
    }

    @inline(__always)
    mutating func read(_ cell: CSVCell, in column: CSVTable<Value>.Column) {
        var cell = cell
        Mojibake.repair(&cell.text, column.name, &row.warnings)
        if !keepsTexts {
            cell.text = PlainText.of(CellText.withoutFormula(cell.text))
            if let error = DamagedCell.error(in: cell.text) {
                return row.warnings.add(column.name, "holds \(error) instead of its value; the cell was left out")
            }
        }
        switch column.content {
        case .field(let field, .plain):
            let ends = (cell.text.utf8.first ?? 0xFF, cell.text.utf8.last ?? 0xFF)
            if !keepsTexts, min(ends.0, ends.1) <= UInt8(ascii: " ") { cell.text = cell.text.withoutInvisibleEnds }
            cells[field] = cell
        case .field(let field, let notation): cells[field] = read(cell, notation, column.name)
        case .person(let field): cells[field] = readPerson(cell)
        case .days(let columnDays):
            let text = cell.text.trimmed
            let hours = CellText.isNothing(text) ? "" : text
            for day in columnDays { days.append((hours, column.name, day, columnDays.count)) }
        case .edge(let edge): edges.append((edge, Self.line(cell), column.name))
        case .part(let part): times.parts[part] = Self.line(cell)
        case .coordinates:
            let text = Self.line(cell)
            guard !text.isEmpty else { return }
            do throws(PlaceTextError) {
                place = try PlaceText.coordinates(text)
            } catch {
                unreadPlace = (text, "\(error)")
            }
        }
    }

    private static func line(_ cell: CSVCell) -> String {
        let text = CellText.oneLine(cell.text)
        return CellText.isNothing(text) ? "" : text
    }

    /// The cell in the form of an export; nil to leave it out.
    private mutating func read(_ cell: CSVCell, _ notation: CellNotation, _ column: String) -> CSVCell? {
        if keepsTexts, notation.isText { return cell }
        if notation == .line { return CSVCell(text: CellText.oneLine(cell.text), isQuoted: cell.isQuoted) }
        let text = CellText.oneLine(cell.text)
        guard !text.isEmpty, !CellText.isNothing(text, countsPromises: notation != .phone) else {
            switch notation {
            case .start: times.start = ""
            case .end: times.end = ""
            default: return text.isEmpty ? cell : CSVCell(text: "", isQuoted: false)
            }
            return nil
        }
        if let values = CellList.values(in: cell.text, notation) {
            return readFirst(of: values, in: text, notation, column)
        }
        switch notation {
        case .plain, .line: return cell
        case .reference: return CSVCell(text: text, isQuoted: cell.isQuoted)
        case .email: return readEmail(text, column)
        case .rule: return CSVCell(text: CellText.rule(text), isQuoted: true)
        case .openingHours: return readHours(cell, column)
        case .latitude, .longitude: return readAngle(text, isLatitude: notation == .latitude, column) ?? cell
        case .website:
            let site = CellList.withoutSigns(text)
            return CSVCell(text: Self.lacksScheme(site) ? "https://" + site : site, isQuoted: true)
        case .phone where DamagedCell.isScientific(text):
            let rounded = "\"\(text.excerpt())\" is a number that the spreadsheet rounded; the cell was left out"
            row.warnings.add(column, "\(rounded). Format the column as text")
            return nil
        case .phone where !text.utf8.contains(where: { ASCII.isDigit($0) || $0 >= 0x80 }):
            let message = "\"\(text.excerpt())\" is not a phone number; the cell was left out"
            row.warnings.add(column, message)
            return nil
        case .phone: return CSVCell(text: CellText.phone(text), isQuoted: true)
        case .start: times.start = text
        case .end: times.end = text
        case .word where text.utf8.count > Self.longestWord: return cell
        case .word: return CSVCell(text: CellText.status(ColumnNames.normalized(text)), isQuoted: cell.isQuoted)
        }
        return nil
    }

    private mutating func readFirst(
        of values: [String], in text: String, _ notation: CellNotation, _ column: String
    ) -> CSVCell? {
        let others = values.dropFirst().prefix(10)
        let warning =
            others.isEmpty
            ? CellList.warning(taking: values[0], from: text)
            : CellList.warning(taking: values[0], leavingOut: others)
        row.warnings.add(column, warning)
        return read(CSVCell(text: values[0], isQuoted: true), notation, column)
    }

    private mutating func readEmail(_ text: String, _ column: String) -> CSVCell {
        let address = CellText.email(CellList.withoutSigns(text))
        if address.utf8.count(where: { $0 == UInt8(ascii: "@") }) > 1 {
            row.problems.add(column, "\"\(text.excerpt())\" has more than one address; write one")
        }
        return CSVCell(text: address, isQuoted: true)
    }

    /// In decimal, or nil. A cell that holds both is the place of the row.
    private mutating func readAngle(_ text: String, isLatitude: Bool, _ column: String) -> CSVCell? {
        if text.utf8.allSatisfy(Self.isDecimal) { return nil }
        if DamagedCell.isScientific(text) {
            let rounded = "\"\(text.excerpt())\" is a number that the spreadsheet rounded"
            row.problems.add(column, "\(rounded); format the column with five decimals")
            return nil
        }
        if Double(decimal: text) != nil { return nil }
        if let angle = try? isLatitude ? PlaceText.latitude(text) : PlaceText.longitude(text) {
            return CSVCell(text: "\(angle)", isQuoted: false)
        }
        guard isLatitude, let both = try? PlaceText.coordinates(text) else { return nil }
        place = both
        return CSVCell(text: "", isQuoted: false)
    }

    private static func isDecimal(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    private static func lacksScheme(_ text: String) -> Bool {
        text.withUTF8Bytes { bytes in
            if bytes.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }) { return false }
            return bytes.prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: "."))
                && !bytes.contains { $0 <= 0x20 || $0 == UInt8(ascii: "@") }
                && bytes.first != UInt8(ascii: ".") && bytes.first != UInt8(ascii: "/")
        }
    }

    private mutating func readPerson(_ cell: CSVCell) -> CSVCell {
        let text = cell.text.trimmed
        guard !text.isEmpty, Int(cell: text, isQuoted: false) == nil else { return cell }
        row.email = text
        return CSVCell(text: "", isQuoted: false)
    }

    private mutating func readHours(_ cell: CSVCell, _ column: String) -> CSVCell? {
        let text = cell.text.trimmed
        do throws(OpeningHoursError) {
            let hours = CSVCell(text: try HoursNotation.text(ofCell: text), isQuoted: cell.isQuoted)
            if let field = Value.fields.index(of: "public_holidays"), cells[field] == nil,
                HoursNotation.opensOnHolidays(inCell: text)
            {
                cells[field] = CSVCell(text: Business.PublicHolidays.asUsual.rawValue, isQuoted: false)
            }
            return hours
        } catch {
            guard let days = HoursNotation.daysAlone(inCell: text) else {
                row.problems.add(column, "must be \(HoursNotation.cellShape), not \"\(text.excerpt())\" (\(error))")
                return nil
            }
            row.warnings.add(column, "\"\(text.excerpt())\" has no times; they are stored as not known")
            return CSVCell(text: days, isQuoted: true)
        }
    }
}

extension CellReader {
    mutating func record(_ dates: inout DateOrders) -> ImportRow {
        leaveOutForeignID(table.idField)
        times.splitRange()
        if let place = table.placeFields { addPlace(place) }
        if let times = table.timeFields { addTimes(times, &dates) }
        Value.visit(&self)
        joinEdges()
        if let hours = table.layout.hours, !days.isEmpty { addHours(at: hours) }
        row.hasSlug = table.slugField.flatMap { cells[$0] }?.text.isEmpty == false
        row.patch = patch
        if !keepsTexts, let event = patch as? Patch<Event> { row.readNames(of: event) }
        return row
    }

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
        patch.fields.insert(index)
        if let value {
            patch.values[keyPath: path] = value
        } else {
            row.problems.add("\(name)", "must be \(shape ?? "a text"), not \"\(text.excerpt())\"")
        }
    }

    private mutating func leaveOutForeignID(_ field: Int) {
        guard let text = cells[field]?.text, text.utf8.contains(where: ASCII.isLetter) else { return }
        row.warnings.add("id", "\"\(text.excerpt())\" is an ID of another program, and was left out")
        cells[field] = nil
    }

    private mutating func addPlace(_ fields: (latitude: Int, longitude: Int)) {
        if let (text, problem) = unreadPlace {
            let hasBoth = [fields.latitude, fields.longitude].allSatisfy { cells[$0]?.text.trimmed.isEmpty == false }
            let ignored = "\"\(text.excerpt())\" was ignored, since latitude and longitude are given"
            if hasBoth { row.warnings.add("coordinates", ignored) } else { row.problems.add("coordinates", problem) }
        }
        if let place {
            for (field, value) in [(fields.latitude, place.latitude), (fields.longitude, place.longitude)]
            where cells[field]?.text.trimmed.isEmpty != false {
                cells[field] = CSVCell(text: "\(value)", isQuoted: false)
            }
        }
        // Only a number with three digits before its point can be too large.
        guard let text = cells[fields.latitude]?.text,
            text.utf8.drop(while: { $0 == UInt8(ascii: "-") }).prefix(3).count(where: ASCII.isDigit) == 3,
            let first = Double(decimal: text.trimmed), abs(first) > 90, abs(first) <= 180,
            let second = cells[fields.longitude].flatMap({ Double(decimal: $0.text.trimmed) }), abs(second) <= 90
        else { return }
        row.problems.add("latitude", "must lie between -90 and 90 degrees; are latitude and longitude swapped?")
    }

    private mutating func addTimes(_ fields: (start: Int, end: Int, allDay: Int), _ dates: inout DateOrders) {
        let read = times.moments(&row.problems, &row.warnings)
        dates.add(read)
        for (field, isThere, time) in [
            (fields.start, times.hasStart, read.start), (fields.end, times.hasEnd, read.end),
        ] where isThere {
            cells[field] = CSVCell(text: time?.text ?? "", isQuoted: false)
        }
        guard let start = read.start else { return }
        cells[fields.allDay] = CSVCell(text: start.isDate ? "true" : "false", isQuoted: false)
    }

    /// An opening without a closing is a problem.
    private mutating func joinEdges() {
        var found: [(days: [Int], text: String, column: String)] = []
        for (edge, opening, column) in edges.filter(\.edge.isOpening).sorted(by: { $0.edge.shift < $1.edge.shift }) {
            let closing = edges.first { $0.edge == edge.other }?.text ?? ""
            guard let text = [DayHours].cell(from: opening, to: closing) else {
                let (one, other) = closing.isEmpty ? ("an opening", "closing") : ("a closing", "opening")
                let cell = (closing.isEmpty ? opening : closing).excerpt()
                row.problems.add(column, "has \(one), \"\(cell)\", without the \(other); add that, or write closed")
                continue
            }
            if let index = found.firstIndex(where: { $0.days == edge.days }) {
                let texts = [found[index].text, text].filter { !$0.isEmpty }
                found[index] = (edge.days, texts.joined(separator: ", "), column)
            } else {
                found.append((edge.days, text, column))
            }
        }
        for (edgeDays, text, column) in found {
            for day in edgeDays { days.append((text, column, day, edgeDays.count)) }
        }
    }

    private mutating func addHours(at hours: WritableKeyPath<Value, [DayHours]>) {
        if let field = Value.fields.index(of: "hours") { patch.fields.insert(field) }
        var spans: [DayHours] = []
        spans.reserveCapacity(days.count)
        for (text, column, day, width) in days where !text.isEmpty {
            // The column of a day counts instead of one of several days.
            if width > 1, days.contains(where: { $0.day == day && $0.width < width && !$0.text.isEmpty }) { continue }
            // First, because most cells are in this form, and reading others takes ten times as long.
            if let span = DayHours(cell: text, on: day) {
                spans.append(span)
                continue
            }
            if HoursNotation.isAppointment(text) {
                row.warnings.add(
                    column, "\"\(text.excerpt())\" is stored as hours that are not known; describe them elsewhere")
                continue
            }
            do throws(OpeningHoursError) {
                spans += try [DayHours](cell: text, on: day)
                if let times = try? HoursNotation.times(text), times.contains(where: \.isOpenEnded) {
                    row.warnings.add(column, "\"\(text.excerpt())\" has no closing; it is stored as until midnight")
                }
            } catch {
                row.problems.add(column, "must be \(DayHours.cellShape), not \"\(text.excerpt())\" (\(error))")
            }
        }
        // As a record has them, so that the same cells give the same hours.
        spans.sort { ($0.dayOfWeek, $0.opens.seconds) < ($1.dayOfWeek, $1.opens.seconds) }
        patch.values[keyPath: hours] = spans
    }
}
