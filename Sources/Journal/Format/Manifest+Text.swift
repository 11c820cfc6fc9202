import Bytes

extension Manifest {
    var bytes: [UInt8] {
        var writer = CheckedDocumentWriter(kind: Self.kind, version: Self.version)
        writer.append(text: "\"store\":\"\(store)\",")
        writer.append(list: "segments", segments.map(\.text))
        writer.append(list: "snapshots", snapshots.map(\.text))
        writer.append(text: "\"closed\":\(closed.map { "{\($0.text)}" } ?? "null"),")
        writer.finish()
        return writer.takeBytes()
    }

    /// The file names in it are for people: they follow from the sequence numbers. A text with a valid checksum but
    /// another layout is refused as foreign, at its line.
    init(_ bytes: [UInt8]) throws(CheckedDocumentError) {
        var lines = try DocumentLines(bytes, kind: Self.kind, version: Self.version)
        guard let store = lines.take({ $0.take("\"store\":\"") ? $0.identityBeforeComma() : nil }),
            let segments = lines.takeList("\"segments\":[", { Segment(&$0) }),
            let snapshots = lines.takeList("\"snapshots\":[", { Snapshot(&$0) }),
            let closed = lines.take({ $0.take("\"closed\":") ? $0.endOrNull() : nil })
        else { throw lines.foreign }
        self.init(store: store)
        (self.segments, self.snapshots, self.closed) = (segments, snapshots, closed)
        guard lines.isAtEnd, isConsistent else { throw lines.foreign }
    }

    /// The segments follow each other, and all but the last are sealed.
    private var isConsistent: Bool {
        let follows = zip(segments, segments.dropFirst()).allSatisfy { segment, next in
            segment.seal.map { $0.end.last + 1 == next.first && segment.first < next.first } ?? false
        }
        let rises = zip(snapshots, snapshots.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
        let isOpen = segments.last.map { $0.seal == nil } ?? (closed == nil && snapshots.isEmpty)
        return follows && rises && isOpen
    }
}

extension TextCursor {
    fileprivate mutating func identityBeforeComma() -> String? {
        guard let identity = identity(), take("\",") else { return nil }
        return identity
    }

    fileprivate mutating func endOrNull() -> Manifest.End?? {
        if take("null,") { return .some(nil) }
        guard take("{"), let end = Manifest.End(&self), take("},") else { return nil }
        return end
    }
}

extension Manifest.End {
    fileprivate var text: String {
        "\"last\":\(last),\"length\":\(length),\"checksum\":\"\(Hex.text(of: checksum))\",\"chain\":\"\(chain)\""
    }

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
    fileprivate var text: String {
        let seal = seal.map { ",\($0.end.text),\"sealed\":\"\($0.at.rfc3339)\"" } ?? ""
        return "{\"file\":\"\(name)\",\"first\":\(first)\(seal)}"
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
        self.init(first: first, seal: seal)
    }
}

extension Manifest.Snapshot {
    fileprivate var text: String {
        "{\"file\":\"\(name)\",\"sequence\":\(sequence),\"length\":\(length),\"checksum\":\""
            + "\(Hex.text(of: checksum))\",\"chain\":\"\(chain)\",\"at\":\"\(at.rfc3339)\"}"
    }

    fileprivate init?(_ cursor: inout TextCursor) {
        guard cursor.take("{\"file\":\"snapshot-"), cursor.takeFileNumber(),
            cursor.take(".json\",\"sequence\":"), let sequence = cursor.decimal(),
            cursor.take(",\"length\":"), let length = cursor.decimal(),
            cursor.take(",\"checksum\":\""), let checksum = cursor.checksum(), cursor.take("\""),
            let chain = cursor.chainMember(), cursor.take(",\"at\":\""), let at = cursor.momentAndQuote(),
            cursor.take("}")
        else { return nil }
        self.init(sequence: sequence, length: length, checksum: checksum, at: at, chain: chain)
    }
}
