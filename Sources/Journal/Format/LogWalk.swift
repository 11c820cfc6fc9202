/// Reads a log, segment by segment and line by line, and verifies each line. Its readers decide what damage means: a
/// start (`Recovery`), an inspection (`FolderSurvey`), a copy (`FolderCopy`) and `CommitReader`.
///
/// The events of a segment begin with its header and end with `end`, or with damage, after which `resume` may find
/// more.
struct LogWalk {
    private(set) var store: String?
    private(set) var segment: Manifest.Segment
    /// As read or as reconstructed; nil when it belongs to another log or is unknown.
    private(set) var header: SegmentHeader?
    private(set) var file: FolderFile?

    private let folder: StoreFolder
    private var following: ArraySlice<Manifest.Segment>
    private var reader: SegmentReader?
    /// After the last valid line of the segment.
    private(set) var position = SegmentReader.Position()
    /// Of `segment` to the log before it; nil when that is unknown.
    private var link: LogLink?
    private var isAtEnd = false
    private var isDamaged = false

    init(of store: String?, _ log: [Manifest.Segment], from index: Int = 0, in folder: StoreFolder) {
        (self.store, self.folder, following) = (store, folder, log[index...])
        segment = index > 0 ? log[index - 1] : Manifest.Segment(first: 1)
    }

    mutating func next() throws(JournalError) -> SegmentReader.Item? {
        guard !isDamaged, let item = try reader?.next() else { return try beginSegment() }
        return take(item)
    }

    /// What can be read in the segment after damage; nil when there is nothing: `next` begins the next segment.
    mutating func resume() throws(JournalError) -> SegmentReader.Item? {
        let item: SegmentReader.Item?
        if header != nil {
            item = try reader?.findNext(through: segment.seal?.end.last ?? .max)
        } else if let store, let link, let chain = link.chain {
            var found: SegmentReader.Item?
            for version in CheckedDocument.versions where found == nil {
                let assumed = SegmentHeader(
                    store: store, first: segment.first, previous: link.checksum, chain: chain, version: version)
                var trial = reader
                found = try trial?.next(assuming: assumed)
                if found != nil { (header, reader) = (assumed, trial) }
            }
            item = found
        } else {
            item = nil
        }
        guard let item, item.isValid else {
            reader = nil
            return nil
        }
        return take(item)
    }

    func error(_ damage: LogDamage, because reason: String) -> JournalError {
        switch damage.reason {
        case .missingFile: .missing(segment.name, in: folder.path)
        case .version(let version): .unknownFormat(segment.name, version: version)
        case .store(let found): .wrongStore(segment.name, found: found, expected: store ?? "")
        case .order: .damaged(segment.name, damage.text, line: 1, byte: 0, sequence: segment.first, in: folder.path)
        case .missingHeader, .line, .sequence:
            .damaged(
                segment.name, damage,
                because: damage.line == 1 ? "the first line is written before all others" : reason,
                in: folder.path)
        }
    }

    private mutating func beginSegment() throws(JournalError) -> SegmentReader.Item? {
        guard let next = following.popFirst() else { return nil }
        link = link(of: next)
        (segment, header, file, position) = (next, nil, nil, SegmentReader.Position())
        (reader, isAtEnd) = (nil, false)
        do throws(JournalError) {
            let file = try folder.open(next.name)
            (self.file, reader) = (file, SegmentReader(file))
        } catch {
            guard error.isMissing else { throw error }
            return .damage(LogDamage(line: 1, byte: 0, sequence: next.first, reason: .missingFile))
        }
        guard var item = try reader?.next() else { return nil }
        switch item {
        case .header(let found):
            if let reason = refusal(of: found) {
                item = .damage(LogDamage(line: 1, byte: 0, sequence: next.first, reason: reason))
                reader = nil
            } else {
                (header, store) = (found, found.store)
            }
        case .damage(var damage):
            damage.sequence = next.first
            item = .damage(damage)
        case .commit, .mark, .end: break
        }
        return take(item)
    }

    private mutating func take(_ item: SegmentReader.Item) -> SegmentReader.Item {
        if let reader { position = reader.position }
        isDamaged = false
        switch item {
        case .header, .commit, .mark: break
        case .damage: isDamaged = true
        case .end: (reader, isAtEnd) = (nil, true)
        }
        return item
    }

    private func refusal(of header: SegmentHeader) -> LogDamage.Reason? {
        if let store, header.store != store { return .store(header.store) }
        let follows = header.first == segment.first && link?.isContinued(by: header) ?? true
        return follows ? nil : .order
    }

    /// nil when the segment before was dropped, or its end could not be read.
    private func link(of next: Manifest.Segment) -> LogLink? {
        if next.first == 1 { return LogLink(checksum: 0, chain: store.map(CommitChain.init(of:))) }
        if let end = segment.seal?.end {
            return end.last + 1 == next.first ? LogLink(checksum: end.checksum, chain: end.chain) : nil
        }
        guard isAtEnd, position.last + 1 == next.first else { return nil }
        return LogLink(checksum: position.checksum, chain: position.chain)
    }
}

extension SegmentReader {
    /// nil when the segment has a commit, or no header.
    static func header(ofEmpty file: FolderFile) throws(JournalError) -> SegmentHeader? {
        var reader = SegmentReader(file)
        guard case .header(let header) = try reader.next(), try reader.next() == .end else { return nil }
        return header
    }
}
