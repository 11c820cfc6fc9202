import Bytes

package struct DamagedSnapshot: Sendable, Hashable {
    package let sequence: Int
    /// From 1; one of them holds the damage if a single byte was changed. Empty if it was more than that.
    package private(set) var lines: [Int] = []
    let finding: InspectionReport.Finding

    package var name: String { FileName.snapshot(sequence) }

    /// Records have no checksums of their own. But the checksum of the file, which its last line and the manifest
    /// contain, says where a single changed byte is, with few exceptions.
    init(
        _ sequence: Int, _ fault: CheckedDocumentError, at byte: Int, in folder: StoreFolder,
        expecting expected: Manifest.Snapshot?
    ) throws(JournalError) {
        self.sequence = sequence
        let name = FileName.snapshot(sequence)
        let file = try folder.open(name)
        let text = try Text(file)
        let isWhole = if let expected { try file.length() == expected.length } else { true }
        var places: [Int] = []
        if isWhole, let wanted = expected?.checksum ?? text.stated {
            places =
                text.checksum == wanted
                ? [text.end] : CRC32C.offsets(ofChange: text.checksum ^ wanted, in: text.end)
        }
        // The last line is not what it should be: it was merged with the one before it.
        if isWhole, places.isEmpty, !text.hasEnd { places = [text.end] }
        let found = places.map { place in text.starts.lastIndex { $0 <= place } ?? 0 }
        lines = Set(found).sorted().map { $0 + 1 }
        guard let first = lines.first else {
            lines = fault.isAboutLine ? [fault.line] : []
            let rest = fault.isAboutLine ? "" : "; more than one byte was changed"
            finding = .init(name, line: fault.line, byte: byte, sequence: sequence, "\(fault.description)\(rest)")
            return
        }
        let others = lines.dropFirst().map { " or in line \($0)" }.joined()
        finding = .init(
            name, line: first, byte: text.starts[first - 1], sequence: sequence,
            "the checksum of the file is not that of its lines: if one byte was changed, it is in this line\(others)")
    }

    /// Of which any may be damaged.
    private struct Text {
        var starts: [Int] = []
        /// The last line begins as it should.
        var hasEnd = false
        var end = 0
        var checksum: UInt32 = 0
        var stated: UInt32?

        init(_ file: FolderFile) throws(JournalError) {
            var lines = LineReader(file)
            var running = CRC32C()
            while let line = try lines.next() {
                starts.append(end)
                checksum = running.value
                hasEnd = line.bytes.starts(withLiteral: "\"end\":")
                var cursor = TextCursor(line.bytes.suffix(11))
                stated = cursor.checksum()
                guard line.isEnded, line.end < (try file.length()) else { break }
                running.update(line.bytes)
                running.update(CollectionOfOne(ASCII.lineFeed))
                end = line.end
            }
        }
    }
}

extension CheckedDocumentError {
    fileprivate var isAboutLine: Bool {
        switch code {
        case .foreign, .version: true
        case .unended, .unfinished, .lineCount, .checksum, .afterEnd: false
        }
    }
}

extension FolderSurvey {
    package func forEachLine(
        of snapshot: DamagedSnapshot, _ body: (Int, ArraySlice<UInt8>) -> Void
    ) throws(JournalError) {
        var lines = LineReader(try open(snapshot.name))
        while let line = try lines.next() {
            body(line.number, line.bytes)
        }
    }
}
