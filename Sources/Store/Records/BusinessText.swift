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

    /// Appends the members as in a list, without the closing brace; see `BusinessRecord.append`.
    ///
    /// Uses pointers, because slices would cost five retain and release pairs per business, at 100 businesses a page.
    @inline(__always)
    func append(to object: inout [UInt8], category: [UInt8], on dayOfWeek: Int) {
        let (start, middle) = (Int(hoursEnd), Int(ends[Self.headEnd]) + 1)
        object.append(addingCapacity: bytes.count - start + category.count + DayHours.longestForm) { object in
            bytes.withUnsafeBufferPointer { bytes in
                object.append(copying: UnsafeBufferPointer(rebasing: bytes[start..<middle]))
                category.withUnsafeBufferPointer { object.append(copying: $0) }
                object.append(copying: UnsafeBufferPointer(rebasing: bytes[middle...]))
                for place in stride(from: 0, to: start, by: CompactDayHours.byteCount) {
                    let day = CompactDayHours(in: UnsafeRawBufferPointer(bytes), at: place)
                    if day.dayOfWeek == dayOfWeek { return day.value.write(to: &object, withID: false) }
                }
                object.append("null")
            }
        }
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

    /// The number of days with hours.
    var dayCount: Int { Int(hoursEnd) / CompactDayHours.byteCount }

    /// The hours of the day at an index below `dayCount`.
    func day(_ index: Int) -> CompactDayHours {
        bytes.withUnsafeBytes { CompactDayHours(in: $0, at: index * CompactDayHours.byteCount) }
    }

    /// Writes all hours as an array, in the dataset form or as the API shows them; see `DayHours.write(to:withID:)`.
    func writeHours(to writer: inout JSONWriter, withID: Bool) {
        writer.form(capacity: 2 + dayCount * (DayHours.longestForm + 1)) { text in
            text.append("[")
            for index in 0..<dayCount {
                if index > 0 { text.append(",") }
                day(index).value.write(to: &text, withID: withID)
            }
            text.append("]")
        }
    }
}
