import Bytes

@testable import Journal

/// Makes files whose checksums are right out of any bytes.
enum FileBuilder {
    /// A segment. Each line of the input is the text of a line of the log, which gets its checksum in front; behind `#`
    /// it stands as it is; behind `!` it is the number of a mark.
    static func segment(_ input: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var checksum: UInt32 = 0
        for line in input.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
            switch line.first {
            case UInt8(ascii: "#"): bytes += line.dropFirst() + [ASCII.lineFeed]
            case UInt8(ascii: "!"):
                let number = Int(String(decoding: line.dropFirst(), as: UTF8.self)) ?? 0
                checksum = bytes.appendMark(synced: max(0, number), after: checksum)
            default: checksum = bytes.appendLogLine(continuing: checksum) { $0.append(contentsOf: line) }
            }
        }
        return bytes
    }

    /// A document: the input, and the last line that fits it.
    static func document(_ input: [UInt8]) -> [UInt8] {
        var bytes = input
        if bytes.last != ASCII.lineFeed { bytes.append(ASCII.lineFeed) }
        let lines = bytes.count { $0 == ASCII.lineFeed }
        let checksum = CRC32C.checksum(bytes)
        bytes.append("\"end\":{\"lines\":")
        bytes.append(decimal: lines)
        bytes.append(",\"checksum\":\"")
        bytes.append(hex: checksum)
        bytes.append("\"}}\n")
        return bytes
    }
}
