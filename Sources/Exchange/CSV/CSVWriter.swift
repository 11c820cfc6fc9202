import Bytes

/// Writes the rows of a table (RFC 4180): lines end in CR LF, and cells are quoted where necessary.
struct CSVWriter {
    private(set) var bytes: [UInt8] = []
    private var isInRow = false

    /// Writes the next cell of the row. Nil is an empty cell, the empty text is `""`.
    mutating func cell(_ text: String?) {
        if isInRow { bytes.append(UInt8(ascii: ",")) }
        isInRow = true
        guard let text else { return }
        guard text.isEmpty || text.utf8.contains(where: Self.needsQuotes) else { return bytes.append(utf8: text) }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func endRow() {
        bytes.append("\r\n")
        isInRow = false
    }

    /// Takes the bytes written since the last call.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), ASCII.lineFeed, ASCII.carriageReturn: true
        default: false
        }
    }
}
