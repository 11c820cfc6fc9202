import Bytes

/// Writes a `CheckedDocument` into memory, from which the caller takes it in pieces (`takeBytes`).
package struct CheckedDocumentWriter: Sendable {
    /// Not taken yet.
    package private(set) var bytes: [UInt8] = []
    private(set) var lines = 0
    /// Of the bytes that were taken.
    private var taken = CRC32C()
    private var isFinished = false

    /// An export, or the snapshot of a state.
    package init(origin: CheckedDocument.Origin? = nil) {
        self.init(
            kind: "sooke", version: origin == nil ? CheckedDocument.exportVersion : CheckedDocument.version)
        guard let origin else { return }
        bytes.removeLast()
        let wall = origin.wall.map { ",\"wall\":\"\($0.rfc3339)\"" } ?? ""
        bytes.append(utf8: "\"store\":\"\(origin.store)\",\"sequence\":\(origin.sequence),")
        bytes.append(utf8: "\"at\":\"\(origin.at.rfc3339)\"\(wall),\"chain\":\"\(origin.chain)\",\n")
    }

    init(kind: StaticString, version: Int) {
        bytes.append(utf8: "{\"format\":\"\(kind)/\(version)\",\n")
        lines = 1
    }

    /// A line of the body; the line feed is added here.
    package mutating func append(line: [UInt8]) {
        precondition(
            !isFinished && line.firstIndex(of: ASCII.lineFeed, from: 0) == nil, "one line of a document that goes on")
        bytes.append(contentsOf: line)
        bytes.append(ASCII.lineFeed)
        lines += 1
    }

    mutating func append(text: String) {
        append(line: Array(text.utf8))
    }

    /// One element a line.
    mutating func append(list name: String, _ elements: [String]) {
        append(text: "\"\(name)\":[")
        for (index, element) in elements.enumerated() {
            append(text: index == elements.count - 1 ? element : element + ",")
        }
        append(text: "],")
    }

    /// The line before must end in a comma.
    package mutating func finish() {
        precondition(!isFinished, "a document ends once")
        isFinished = true
        bytes.append(utf8: "\"end\":{\"lines\":\(lines),\"checksum\":\"\(Hex.text(of: checksum))\"}}\n")
    }

    package mutating func takeBytes() -> [UInt8] {
        taken.update(bytes)
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Of everything so far. Before `finish()` it is the one that the last line will contain.
    var checksum: UInt32 { CRC32C.checksum(bytes, continuing: taken.value) }
}
