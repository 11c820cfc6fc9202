import Bytes
import SookeModel

/// The hours of a day in 16 bytes: a business has about seven of them.
struct CompactDayHours {
    static let byteCount = 16

    private let id: Int
    private let bits: UInt64

    init(_ day: DayHours) {
        id = day.id
        bits =
            UInt64(day.dayOfWeek) | UInt64(day.isClosed ? 1 : 0) << 8 | UInt64(day.opens.seconds) << 16
            | UInt64(day.closes.seconds) << 40
    }

    /// Decodes the row that `append` encoded at an offset.
    init(in bytes: RawSpan, at place: Int) {
        id = bytes.unsafeLoadUnaligned(fromByteOffset: place, as: Int.self)
        bits = bytes.unsafeLoadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
    }

    /// Appends the row to a buffer with enough capacity.
    func append(to bytes: inout OutputSpan<UInt8>) {
        withUnsafeBytes(of: (id, bits)) { bytes.append(copying: $0.assumingMemoryBound(to: UInt8.self)) }
    }

    var dayOfWeek: Int { Int(bits & 0xFF) }

    /// All but the ID, packed.
    var times: UInt64 { bits }

    var value: DayHours {
        guard let opens = ClockTime(seconds: Int(bits >> 16 & 0xFF_FFFF)),
            let closes = ClockTime(seconds: Int(bits >> 40))
        else { preconditionFailure("hours that were packed cannot be read back") }
        var day = DayHours(dayOfWeek: dayOfWeek, opens: opens, closes: closes, isClosed: bits >> 8 & 1 == 1)
        day.id = id
        return day
    }
}
