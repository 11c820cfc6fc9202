import Bytes

/// Reads a time zone information file (RFC 9636), versions 1 to 4.
///
/// For version 2 and later it reads the second data block, with 64-bit times, and the footer.
public struct TZifReader {
    /// The bytes are not a complete file.
    public struct Malformed: Error {}

    private let bytes: [UInt8]
    private var position = 0

    public static func read(_ bytes: [UInt8], name: String) throws(Malformed) -> TimeZone {
        var reader = TZifReader(bytes)
        return try reader.zone(name)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private struct Header {
        var version: UInt8
        var universalFlags, standardFlags, leapSeconds, transitions, types, nameBytes: Int

        /// The length of the data block that follows, with times of `timeSize` bytes.
        func length(timeSize: Int) -> Int {
            transitions * (timeSize + 1) + types * 6 + nameBytes + leapSeconds * (timeSize + 4) + standardFlags
                + universalFlags
        }
    }

    private mutating func zone(_ name: String) throws(Malformed) -> TimeZone {
        var header = try readHeader()
        var timeSize = 4
        if header.version >= UInt8(ascii: "2") {
            try skip(header.length(timeSize: 4))
            header = try readHeader()
            timeSize = 8
        }
        let end = position + header.length(timeSize: timeSize)
        guard end <= bytes.count else { throw Malformed() }
        var transitions: [Int] = []
        for _ in 0..<header.transitions { transitions.append(try integer(timeSize)) }
        guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }) else { throw Malformed() }
        var indexes: [Int] = []
        for _ in 0..<header.transitions { indexes.append(Int(try byte())) }
        var types: [(offset: Int, isDaylight: Bool)] = []
        for _ in 0..<header.types {
            types.append((try integer(4), try byte() != 0))
            _ = try byte()
        }
        guard !types.isEmpty, indexes.allSatisfy({ $0 < types.count }), types.allSatisfy({ abs($0.offset) < 93_600 })
        else { throw Malformed() }
        position = end
        return TimeZone(
            name: name, transitions: transitions, offsets: indexes.map { types[$0].offset },
            firstOffset: types[0].offset, rule: timeSize == 8 ? try readFooter() : nil)
    }

    private mutating func readHeader() throws(Malformed) -> Header {
        guard bytes.dropFirst(position).starts(with: [UInt8]("TZif")) else { throw Malformed() }
        position += 4
        let version = try byte()
        try skip(15)
        var counts: [Int] = []
        for _ in 0..<6 {
            let count = try integer(4)
            guard 0...bytes.count ~= count else { throw Malformed() }
            counts.append(count)
        }
        return Header(
            version: version, universalFlags: counts[0], standardFlags: counts[1], leapSeconds: counts[2],
            transitions: counts[3], types: counts[4], nameBytes: counts[5])
    }

    /// The rule between the two line feeds at the end; nil when there is none.
    private mutating func readFooter() throws(Malformed) -> POSIXZoneRule? {
        guard try byte() == ASCII.lineFeed else { throw Malformed() }
        let text = bytes[position...].prefix { $0 != ASCII.lineFeed }
        guard text.endIndex < bytes.count else { throw Malformed() }
        if text.isEmpty { return nil }
        guard let rule = POSIXZoneRule(text) else { throw Malformed() }
        return rule
    }

    private mutating func skip(_ count: Int) throws(Malformed) {
        guard count <= bytes.count - position else { throw Malformed() }
        position += count
    }

    private mutating func byte() throws(Malformed) -> UInt8 {
        guard position < bytes.count else { throw Malformed() }
        defer { position += 1 }
        return bytes[position]
    }

    /// A signed integer, highest byte first.
    private mutating func integer(_ size: Int) throws(Malformed) -> Int {
        var value = Int(Int8(bitPattern: try byte()))
        for _ in 1..<size { value = value << 8 | Int(try byte()) }
        return value
    }
}
