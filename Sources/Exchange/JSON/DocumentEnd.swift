import Bytes
import JSON

/// What the last line of a dataset says of all the lines before it: `"end":{"lines":77,"checksum":"1f0a77b2"}}`.
struct DocumentEnd: Equatable {
    let lines: Int
    /// The CRC-32C of all bytes of these lines.
    let checksum: UInt32

    /// Counts the lines of a document piece by piece.
    struct Counter {
        private var lines = 0
        private var checksum = CRC32C()

        mutating func update(_ piece: ArraySlice<UInt8>) {
            lines += piece.count { $0 == ASCII.lineFeed }
            checksum.update(piece)
        }

        /// What the last line must say after these pieces.
        var end: DocumentEnd { DocumentEnd(lines: lines, checksum: checksum.value) }
    }
}

extension DocumentEnd {
    /// The last line. The brace that closes the document stands in it.
    var line: [UInt8] {
        var line = [UInt8]("\"end\":{\"lines\":")
        line.append(decimal: lines)
        line.append(",\"checksum\":\"")
        line.append(hex: checksum)
        line.append("\"}}\n")
        return line
    }
}
