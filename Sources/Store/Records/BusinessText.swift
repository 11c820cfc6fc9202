import Bytes
import JSON
import SookeModel

/// The hours and texts of a business in one buffer, because a list of a large town finds none of them in a cache.
///
/// The rows of hours come first, then the members of responses, where the category is inserted between `description`
/// and `address`, and finally the key of `today_hours`.
struct BusinessText: Sendable {
    private let bytes: [UInt8]
    private let hoursEnd: UInt32
    /// The ends of the members of each of `pieces`.
    private var ends = InlineArray<5, UInt32>(repeating: 0)

    /// The pieces that are accessed separately: the ID, the name, the slug, the other members before the category, and
    /// the members after it.
    private static let pieces: [FieldSet<Business>] = {
        let (description, end) = (Business.fields.knownIndex(of: "description"), firstOfRest)
        return [0..<1, 1..<2, 2..<3, 3..<description + 1, description + 1..<end].map { FieldSet($0) }
    }()
    private static let (name, slug, headEnd, tailEnd) = (1, 2, 3, 4)

    private static let firstOfRest = Business.fields.knownIndex(of: "owner_id")

    /// The fields that are not in the text; they follow those that are.
    static let rest = FieldSet<Business>.all.subtracting(FieldSet(0..<firstOfRest))

    /// Encodes the hours and texts of a business.
    init(_ value: Business) {
        let hoursEnd = value.hours.count * CompactDayHours.byteCount
        var writer = JSONWriter(reservingCapacity: 512)
        writer.beginObject()
        for (index, fields) in Self.pieces.enumerated() {
            value.writeFields(fields, to: &writer)
            ends[index] = UInt32(hoursEnd + writer.bytes.count + (index > Self.headEnd ? 1 : 0))
        }
        writer.key("today_hours")
        let headEnd = Int(ends[Self.headEnd]) - hoursEnd
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hoursEnd + writer.bytes.count + 1)
        bytes.append(addingCapacity: hoursEnd) { for day in value.hours { CompactDayHours(day).append(to: &$0) } }
        bytes.append(contentsOf: writer.bytes[..<headEnd])
        // The comma before the category, whose members are inserted here.
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: writer.bytes[headEnd...])
        (self.bytes, self.hoursEnd) = (bytes, UInt32(hoursEnd))
    }

    /// The range of the members of a piece, without braces or commas around them.
    private func place(_ index: Int) -> Range<Int> {
        let before = index == 0 ? hoursEnd : ends[index - 1]
        return Int(before) + (index > Self.headEnd ? 2 : 1)..<Int(ends[index])
    }

    /// Appends the members as in a list, with the opening brace; see `BusinessRecord.append`.
    ///
    /// Uses spans, because slices would cost five retain and release pairs per business, at 100 businesses a page.
    @inline(__always)
    func append(to object: inout [UInt8], category: Span<UInt8>, on dayOfWeek: Int) {
        let (start, middle) = (Int(hoursEnd), Int(ends[Self.headEnd]) + 1)
        let bytes = bytes.span
        let capacity = bytes.count - start + category.count + DayHours.longestForm
        object.append(addingCapacity: capacity) { object in
            object.append(copying: bytes.extracting(start..<middle))
            object.append(copying: category)
            object.append(copying: bytes.extracting(middle...))
            Self.appendHours(of: dayOfWeek, in: bytes.extracting(..<start), to: &object)
        }
    }

    @inline(__always)
    private static func appendHours(of dayOfWeek: Int, in rows: Span<UInt8>, to object: inout OutputSpan<UInt8>) {
        for place in stride(from: 0, to: rows.count, by: CompactDayHours.byteCount) {
            let day = CompactDayHours(in: rows.bytes, at: place)
            guard day.dayOfWeek == dayOfWeek else { continue }
            return merged(day.value, at: place, in: rows).write(to: &object, withID: false)
        }
        object.append("null")
    }

    /// The row at an offset, merged with the further rows of its day: from the first opening to the last closing.
    @inline(__always)
    private static func merged(_ day: DayHours, at place: Int, in rows: Span<UInt8>) -> DayHours {
        var (day, next) = (day, place + CompactDayHours.byteCount)
        while next < rows.count {
            let other = CompactDayHours(in: rows.bytes, at: next)
            guard other.dayOfWeek == day.dayOfWeek else { break }
            day.formUnion(other.value)
            next += CompactDayHours.byteCount
        }
        return day
    }

    /// Writes the members into an object in the dataset form.
    func write(to writer: inout JSONWriter) {
        writer.members(raw: bytes[place(0).lowerBound..<place(Self.headEnd).upperBound])
        writer.members(raw: bytes[place(Self.tailEnd)])
    }

    /// The name as a JSON literal.
    var name: ArraySlice<UInt8> { bytes[place(Self.name)].dropFirst(Self.nameKey.utf8CodeUnitCount) }

    /// The slug as a JSON literal.
    var slug: ArraySlice<UInt8> { bytes[place(Self.slug)].dropFirst(Self.slugKey.utf8CodeUnitCount) }

    private static let nameKey: StaticString = "\"name\":"
    private static let slugKey: StaticString = "\"slug\":"

    /// The bytes of all parts.
    var byteCount: Int { bytes.count }

    /// The number of days with hours.
    var dayCount: Int { Int(hoursEnd) / CompactDayHours.byteCount }

    /// The hours of the day at an index below `dayCount`.
    func day(_ index: Int) -> CompactDayHours {
        CompactDayHours(in: bytes.span.bytes, at: index * CompactDayHours.byteCount)
    }

    /// Writes all hours as an array in the dataset form.
    func writeHours(to writer: inout JSONWriter) {
        writer.form(capacity: 2 + dayCount * (DayHours.longestForm + 1)) { text in
            text.append("[")
            for index in 0..<dayCount {
                if index > 0 { text.append(",") }
                day(index).value.write(to: &text, withID: true)
            }
            text.append("]")
        }
    }

    /// Writes the hours of a week as responses show them: one row a day.
    func writeWeek(to writer: inout JSONWriter) {
        let rows = bytes.span.extracting(..<Int(hoursEnd))
        writer.form(capacity: 2 + dayCount * (DayHours.longestForm + 1)) { text in
            text.append("[")
            var last: Int?
            for index in 0..<dayCount where day(index).dayOfWeek != last {
                if last != nil { text.append(",") }
                let row = Self.merged(day(index).value, at: index * CompactDayHours.byteCount, in: rows)
                row.write(to: &text, withID: false)
                last = row.dayOfWeek
            }
            text.append("]")
        }
    }
}
