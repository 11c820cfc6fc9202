import Bytes

/// Verifies each line. `LogWalk` reads all segments with it.
struct SegmentReader {
    /// Between two lines; everything before it is valid.
    struct Position: Equatable {
        var offset = 0
        var lines = 0
        /// Of the last line before it.
        var lineStart = 0
        /// Everything before the mark was on stable storage.
        var isAfterMark = false
        var checksum: UInt32 = 0
        var commit = CommitPosition(0, CommitChain(0))
        /// A commit before it could not be read, so that the chain is unknown.
        var hasGap = false

        var last: Int { commit.sequence }
        var chain: CommitChain? { hasGap ? nil : commit.chain }
    }

    enum Item: Equatable {
        case header(SegmentHeader)
        case commit(LoggedCommit)
        case mark
        /// Only `findNext` reads on after it.
        case damage(LogDamage)
        /// Nothing follows but zeros, which are reserved space.
        case end

        var isValid: Bool {
            switch self {
            case .header, .commit, .mark: true
            case .damage, .end: false
            }
        }
    }

    private var lines: LineReader
    private(set) var position = Position()
    private var broken: LineReader.Line?

    init(_ file: FolderFile) {
        lines = LineReader(file)
    }

    mutating func next() throws(JournalError) -> Item {
        if position.lines == 0 { return try readHeader() }
        guard let line = try lines.next(), line.isEnded || line.bytes.contains(where: { $0 != 0 }) else { return .end }
        do throws(LogDamage) {
            return try accept(line)
        } catch {
            broken = line
            return .damage(error)
        }
    }

    private mutating func readHeader() throws(JournalError) -> Item {
        guard let line = try lines.next() else { return .damage(damage(.missingHeader)) }
        do throws(LogDamage.Reason) {
            let (header, checksum) = try SegmentHeader.read(line.bytes)
            guard line.isEnded else { throw .line(.unended) }
            accept(line, checksum: checksum)
            position.commit = CommitPosition(header.first - 1, header.chain)
            return .header(header)
        } catch {
            broken = line
            if case .line = error, !line.isEnded { return .damage(damage(.line(.unended))) }
            return .damage(damage(error))
        }
    }

    /// In place of an invalid first line, if the next line confirms it; otherwise nil, and the reader cannot be used.
    mutating func next(assuming header: SegmentHeader) throws(JournalError) -> Item? {
        guard let line = broken, line.isEnded else { return nil }
        let (bytes, checksum) = header.line(sectorBytes: line.bytes.count + 1)
        guard bytes.count == line.bytes.count + 1 else { return nil }
        accept(line, checksum: checksum)
        position.commit = CommitPosition(header.first - 1, header.chain)
        let item = try next()
        return item.isValid ? item : nil
    }

    /// Finds the next line after an invalid one that is valid by the checksum in the line before it; `end` when there
    /// is none. Recovery never calls it.
    ///
    /// - Parameter last: the highest sequence number that the segment can contain: later commits belong to another log.
    mutating func findNext(through last: Int = .max) throws(JournalError) -> Item {
        guard var before = broken else { return .end }
        // The checksum of the invalid line may itself be damaged.
        var candidates = [CRC32C.checksum(before.bytes.dropFirst(LogLine.prefixLength), continuing: position.checksum)]
        while let line = try lines.next() {
            var cursor = TextCursor(before.bytes)
            if let stated = cursor.checksum() { candidates.append(stated) }
            for checksum in candidates where line.isEnded {
                guard let opened = try? LogLine.open(line.bytes, continuing: checksum),
                    let text = LogLine(json: opened.json, continuing: checksum), text.sequence > position.last,
                    text.sequence <= last
                else { continue }
                accept(line, checksum: opened.checksum)
                broken = nil
                if case .commit(position.last + 1, let payload) = text { return .commit(advance(by: payload)) }
                let before = position.commit
                (position.commit, position.hasGap) = (CommitPosition(text.sequence, before.chain), true)
                guard case .commit(_, let payload) = text else { return .mark }
                return .commit(LoggedCommit(payload, at: position.commit, after: before))
            }
            candidates = []
            before = line
        }
        return .end
    }

    private mutating func advance(by payload: ArraySlice<UInt8>) -> LoggedCommit {
        let before = position.commit
        position.commit = before.advanced(by: payload.span)
        return LoggedCommit(payload, at: position.commit, after: before)
    }

    private mutating func accept(_ line: LineReader.Line) throws(LogDamage) -> Item {
        guard line.isEnded else { throw damage(.line(.unended)) }
        let checksum: UInt32
        let json: ArraySlice<UInt8>
        do throws(LogLine.Fault) {
            (checksum, json) = try LogLine.open(line.bytes, continuing: position.checksum)
        } catch {
            throw damage(.line(error))
        }
        switch LogLine(json: json, continuing: position.checksum) {
        case .commit(position.last + 1, let payload):
            accept(line, checksum: checksum)
            return .commit(advance(by: payload))
        case .mark(position.last):
            accept(line, checksum: checksum)
            position.isAfterMark = true
            return .mark
        case .commit(let sequence, _), .mark(let sequence):
            throw damage(.sequence(sequence))
        case nil:
            throw damage(.line(.malformed))
        }
    }

    private mutating func accept(_ line: LineReader.Line, checksum: UInt32) {
        (position.offset, position.lineStart, position.isAfterMark) = (line.end, line.offset, false)
        position.lines = line.number
        position.checksum = checksum
    }

    private func damage(_ reason: LogDamage.Reason) -> LogDamage {
        LogDamage(line: position.lines + 1, byte: position.offset, sequence: position.last + 1, reason: reason)
    }
}

struct LogDamage: Error, Equatable {
    enum Reason: Error, Equatable {
        case missingFile
        case missingHeader
        /// Another version of this program wrote the segment.
        case version(Int)
        case store(String)
        /// The first line does not continue the segment before it.
        case order
        case line(LogLine.Fault)
        case sequence(Int)
    }

    /// The line, from 1, its offset, and the commit after the last valid one.
    var line, byte, sequence: Int
    var reason: Reason

    var text: String {
        switch reason {
        case .missingFile: "the file is gone"
        case .missingHeader: "the file has no first line"
        case .version(let version): CheckedDocument.unknown(version)
        case .store: "the first line is that of another store"
        case .order: "the first line does not follow the segment before it"
        case .line(.unended): "the line does not end"
        case .line(.malformed): "this is not a line of a log"
        case .line(.wrongChecksum): "the checksum is not that of the line"
        case .sequence(let found): "the line has the sequence number \(found), expected was \(sequence)"
        }
    }
}
