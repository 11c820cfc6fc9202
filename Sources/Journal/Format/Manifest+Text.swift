import Bytes

extension Manifest {
    var bytes: [UInt8] {
        var writer = CheckedDocumentWriter(kind: Self.kind, version: Self.version)
        writer.append(line: Array("\"store\":\"\(store)\",".utf8))
        writer.append(line: [UInt8]("\"segments\":["))
        for (index, segment) in segments.enumerated() {
            writer.append(line: segment.line(isLast: index == segments.count - 1))
        }
        writer.append(line: [UInt8]("],"))
        writer.append(line: [UInt8]("\"snapshots\":["))
        for (index, snapshot) in snapshots.enumerated() {
            writer.append(line: snapshot.line(isLast: index == snapshots.count - 1))
        }
        writer.append(line: [UInt8]("],"))
        var line = [UInt8]("\"closed\":")
        if let closed {
            line.append("{")
            line.append(end: closed)
            line.append("},")
        } else {
            line.append("null,")
        }
        writer.append(line: line)
        writer.finish()
        return writer.takeBytes()
    }

    /// Reads the file.
    ///
    /// - Throws: `CheckedDocumentError`. A text with a valid checksum but another layout is refused as foreign, at its
    ///   line.
    init(_ bytes: [UInt8]) throws(CheckedDocumentError) {
        var reader = CheckedDocumentReader(kind: Self.kind, version: Self.version)
        var parser = Parser()
        try bytes.forEachLine { text, isEnded throws(CheckedDocumentError) in
            if case .line(let line) = try reader.read(text, isEnded: isEnded) {
                parser.take(line, number: reader.lines)
            }
        }
        try reader.finish()
        guard parser.badLine == nil, parser.part == .end, parser.manifest.isConsistent else {
            throw CheckedDocumentError(code: .foreign, line: parser.badLine ?? reader.lines)
        }
        self = parser.manifest
    }

    /// Whether the segments follow each other, and all but the last are sealed.
    private var isConsistent: Bool {
        let follows = zip(segments, segments.dropFirst()).allSatisfy { segment, next in
            segment.seal.map { $0.end.last + 1 == next.first && segment.first < next.first } ?? false
        }
        let rises = zip(snapshots, snapshots.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
        let isOpen = segments.last.map { $0.seal == nil } ?? (closed == nil && snapshots.isEmpty)
        return follows && rises && isOpen
    }
}

/// Reads the lines of the body, in the order in which they are written.
///
/// The file names are for people: they follow from the sequence numbers beside them.
private struct Parser {
    enum Part { case store, segmentsStart, segments, snapshotsStart, snapshots, closed, end }

    var manifest = Manifest(store: "")
    var part = Part.store
    /// The first line that differs from what this program writes.
    var badLine: Int?

    mutating func take(_ line: ArraySlice<UInt8>, number: Int) {
        guard badLine == nil else { return }
        var cursor = TextCursor(line)
        if !parse(&cursor) || !cursor.isAtEnd { badLine = number }
    }

    private mutating func parse(_ cursor: inout TextCursor) -> Bool {
        switch part {
        case .store:
            guard cursor.take("\"store\":\""), let store = cursor.identity(), cursor.take("\",") else { return false }
            manifest.store = store
            part = .segmentsStart
        case .segmentsStart:
            guard cursor.take("\"segments\":[") else { return false }
            part = .segments
        case .segments:
            if cursor.take("],") {
                part = .snapshotsStart
            } else {
                guard let segment = Manifest.Segment(&cursor) else { return false }
                manifest.segments.append(segment)
            }
        case .snapshotsStart:
            guard cursor.take("\"snapshots\":[") else { return false }
            part = .snapshots
        case .snapshots:
            if cursor.take("],") {
                part = .closed
            } else {
                guard let snapshot = Manifest.Snapshot(&cursor) else { return false }
                manifest.snapshots.append(snapshot)
            }
        case .closed:
            guard cursor.take("\"closed\":") else { return false }
            if !cursor.take("null,") {
                guard cursor.take("{"), let end = Manifest.End(&cursor), cursor.take("},") else { return false }
                manifest.closed = end
            }
            part = .end
        case .end:
            return false
        }
        return true
    }
}

extension [UInt8] {
    fileprivate mutating func append(end: Manifest.End) {
        append("\"last\":")
        append(decimal: end.last)
        append(",\"length\":")
        append(decimal: end.length)
        append(",\"checksum\":\"")
        append(hex: end.checksum)
        append("\"")
        append(chainMember: end.chain)
    }
}

extension Manifest.End {
    fileprivate init?(_ cursor: inout TextCursor) {
        guard cursor.take("\"last\":"), let last = cursor.decimal(),
            cursor.take(",\"length\":"), let length = cursor.decimal(),
            cursor.take(",\"checksum\":\""), let checksum = cursor.checksum(), cursor.take("\""),
            let chain = cursor.chainMember()
        else { return nil }
        self.init(last: last, length: length, checksum: checksum, chain: chain)
    }
}

extension Manifest.Segment {
    fileprivate func line(isLast: Bool) -> [UInt8] {
        var line = Array("{\"file\":\"\(name)\",\"first\":\(first)".utf8)
        if let seal {
            line.append(",")
            line.append(end: seal.end)
            line.append(",\"sealed\":\"")
            line.append(rfc3339: seal.at)
            line.append("\"")
        }
        line.append(utf8: isLast ? "}" : "},")
        return line
    }

    fileprivate init?(_ cursor: inout TextCursor) {
        guard cursor.take("{\"file\":\"wal-"), cursor.takeFileNumber(), cursor.take(".log\",\"first\":"),
            let first = cursor.decimal()
        else { return nil }
        var seal: Manifest.Seal?
        if cursor.take(",") {
            guard let end = Manifest.End(&cursor), cursor.take(",\"sealed\":\""), let at = cursor.momentAndQuote()
            else { return nil }
            seal = Manifest.Seal(end: end, at: at)
        }
        guard cursor.take("}") else { return nil }
        _ = cursor.take(",")
        self.init(first: first, seal: seal)
    }
}

extension Manifest.Snapshot {
    fileprivate func line(isLast: Bool) -> [UInt8] {
        var line = Array("{\"file\":\"\(name)\",\"sequence\":\(sequence),\"length\":\(length),\"checksum\":\"".utf8)
        line.append(hex: checksum)
        line.append("\"")
        line.append(chainMember: chain)
        line.append(",\"at\":\"")
        line.append(rfc3339: at)
        line.append(utf8: isLast ? "\"}" : "\"},")
        return line
    }

    fileprivate init?(_ cursor: inout TextCursor) {
        guard cursor.take("{\"file\":\"snapshot-"), cursor.takeFileNumber(),
            cursor.take(".json\",\"sequence\":"), let sequence = cursor.decimal(),
            cursor.take(",\"length\":"), let length = cursor.decimal(),
            cursor.take(",\"checksum\":\""), let checksum = cursor.checksum(), cursor.take("\""),
            let chain = cursor.chainMember(), cursor.take(",\"at\":\""), let at = cursor.momentAndQuote(),
            cursor.take("}")
        else { return nil }
        _ = cursor.take(",")
        self.init(sequence: sequence, length: length, checksum: checksum, at: at, chain: chain)
    }
}
