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
        let lines = try DocumentLines(bytes, kind: Self.kind, version: Self.version)
        self.init(store: lines.member("store") { $0.identity() } ?? "")
        segments = lines.list("segments").compactMap { Segment($0) }
        snapshots = lines.list("snapshots").compactMap { Snapshot($0) }
        closed = lines.member("closed") { End($0) }
        try lines.require(isConsistent ? self.bytes : [])
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

extension Manifest.End {
    fileprivate var text: String {
        "\"last\":\(last),\"length\":\(length),\"checksum\":\"\(Hex.text(of: checksum))\",\"chain\":\"\(chain)\""
    }

    fileprivate init?(_ line: TextCursor) {
        guard let last = line.member("last", { $0.decimal() }), let length = line.member("length", { $0.decimal() }),
            let checksum = line.member("checksum", { $0.checksum() }), let chain = line.member("chain", { $0.chain() })
        else { return nil }
        self.init(last: last, length: length, checksum: checksum, chain: chain)
    }
}

extension Manifest.Segment {
    fileprivate var text: String {
        let seal = seal.map { ",\($0.end.text),\"sealed\":\"\($0.at.rfc3339)\"" } ?? ""
        return "{\"file\":\"\(name)\",\"first\":\(first)\(seal)}"
    }

    fileprivate init?(_ line: TextCursor) {
        guard let first = line.member("first", { $0.decimal() }) else { return nil }
        self.init(first: first)
        guard let end = Manifest.End(line), let at = line.member("sealed", { $0.momentAndQuote() }) else { return }
        seal = Manifest.Seal(end: end, at: at)
    }
}

extension Manifest.Snapshot {
    fileprivate var text: String {
        "{\"file\":\"\(name)\",\"sequence\":\(sequence),\"length\":\(length),\"checksum\":\""
            + "\(Hex.text(of: checksum))\",\"chain\":\"\(chain)\",\"at\":\"\(at.rfc3339)\"}"
    }

    fileprivate init?(_ line: TextCursor) {
        guard let sequence = line.member("sequence", { $0.decimal() }),
            let length = line.member("length", { $0.decimal() }),
            let checksum = line.member("checksum", { $0.checksum() }),
            let at = line.member("at", { $0.momentAndQuote() }), let chain = line.member("chain", { $0.chain() })
        else { return nil }
        self.init(sequence: sequence, length: length, checksum: checksum, at: at, chain: chain)
    }
}
