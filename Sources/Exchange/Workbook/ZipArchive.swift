import Bytes
import Platform
import SookeModel

/// A ZIP archive, by the directory at its end.
///
/// ```
/// archive   = *(local-header content) *directory-entry end
/// entry     = 02014b50 … flags(8) method(10) … crc(16) packed(20) size(24) name-length(28) … offset(42) name(46)
/// local     = 04034b50 … name-length(26) extra-length(28) name extra content
/// end       = 06054b50 … entries(10) … directory-offset(16)
/// ```
///
/// Nothing is unpacked before it is known that it fits: all that is read together has at most `mostUnpacked` bytes.
package struct ZipArchive {
    private struct Entry {
        let flags, method, checksum, packed, size, offset: Int
    }

    private let bytes: [UInt8]
    private var entries: [ByteText: Entry] = [:]
    private var room = mostUnpacked

    package static let mostUnpacked = 64 << 20
    private static let mostEntries = 2_000
    /// Of a file beyond `free` bytes: no sheet of words and numbers is that much smaller when it is packed.
    private static let (mostRatio, free) = (200, 1 << 20)
    /// The end may be followed by a comment.
    private static let longestEnd = 22 + 0xFFFF

    init(_ bytes: [UInt8]) throws(WorkbookError) {
        self.bytes = bytes
        let signature = Array("PK\u{5}\u{6}".utf8)
        let places = stride(from: bytes.count - 22, through: max(0, bytes.count - Self.longestEnd), by: -1)
        guard let end = places.first(where: { bytes[$0...].starts(with: signature) }) else { throw .damaged }
        let count = try number(at: end + 10, 2)
        guard count <= Self.mostEntries else { throw .tooLarge }
        var place = try number(at: end + 16, 4)
        for _ in 0..<count {
            guard try number(at: place, 4) == 0x0201_4B50 else { throw .damaged }
            let length = try number(at: place + 28, 2)
            let name = try range(at: place + 46, length)
            let entry = Entry(
                flags: try number(at: place + 8, 2), method: try number(at: place + 10, 2),
                checksum: try number(at: place + 16, 4), packed: try number(at: place + 20, 4),
                size: try number(at: place + 24, 4), offset: try number(at: place + 42, 4))
            entries[ByteText(String(decoding: bytes[name].prefix(300), as: UTF8.self))] = entry
            place = name.upperBound + (try number(at: place + 30, 2)) + (try number(at: place + 32, 2))
        }
    }

    mutating func read(_ name: String) throws(WorkbookError) -> [UInt8]? {
        guard let entry = entries[ByteText(name)] else { return nil }
        guard entry.flags & 1 == 0 else { throw .encrypted }
        guard entry.size <= room, entry.size <= Self.free || entry.size / Self.mostRatio <= entry.packed else {
            throw .tooLarge
        }
        guard try number(at: entry.offset, 4) == 0x0403_4B50 else { throw .damaged }
        let extra = try number(at: entry.offset + 26, 2) + number(at: entry.offset + 28, 2)
        let packed = bytes[try range(at: entry.offset + 30 + extra, entry.packed)]
        room -= entry.size
        let content = entry.method == 8 ? Deflate.unpack(packed, to: entry.size) : Array(packed)
        guard let content, content.count == entry.size, Int(Deflate.checksum(of: content)) == entry.checksum else {
            throw .damaged
        }
        return content
    }

    private func range(at place: Int, _ count: Int) throws(WorkbookError) -> Range<Int> {
        guard place <= bytes.count, count <= bytes.count - place else { throw .damaged }
        return place..<place + count
    }

    /// Numbers have their last byte first.
    private func number(at place: Int, _ count: Int) throws(WorkbookError) -> Int {
        bytes[try range(at: place, count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

struct WorkbookError: Error {
    let message: String

    static let damaged = Self(
        message: "is a damaged workbook; open it in a spreadsheet, save it again, and import that")
    static let encrypted = Self(message: "is a workbook with a password; save it without one, and import that")
    static let tooLarge = tooLarge(beyond: ZipArchive.mostUnpacked)

    static func tooLarge(beyond limit: Int) -> Self {
        let advice = "save the sheet as CSV UTF-8, or in several files, and import those"
        return Self(message: "is a workbook of more than \(limit >> 20) MB; \(advice)")
    }
}
