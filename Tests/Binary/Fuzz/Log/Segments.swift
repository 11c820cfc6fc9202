import Bytes
import FuzzSupport

@testable import Journal

/// What is accepted of a segment is, byte for byte, what a writer would have put there; what is not is reported.
func checkSegment(_ bytes: [UInt8]) {
    checkLines(bytes)
    let file = FolderFile(MemoryFile(bytes), in: "folder")
    var reader = SegmentReader(file)
    var copy = SegmentCopy()
    var damage: LogDamage?
    guard let start = try? reader.next(), case .header(let header) = start else {
        return checkWalk(bytes, first: 1, isSound: false)
    }
    copy.append(header, to: reader.position)
    reading: while let item = try? reader.next() {
        switch item {
        case .header: FuzzInput.require(false, "a second header")
        case .commit(let commit): copy.append(commit.sequence, Array(commit.payload), to: reader.position)
        case .mark: copy.appendMark(to: reader.position)
        case .damage(let found):
            damage = found
            break reading
        case .end: break reading
        }
    }
    FuzzInput.require(
        copy.bytes.elementsEqual(bytes.prefix(reader.position.offset)), "what was accepted was not written like that")
    if let damage {
        checkProof(file, damage)
        checkRest(&reader)
    } else {
        FuzzInput.require(reader.position.offset == bytes.count, "the end is not the end of the file")
    }
    // The first segment of all follows none.
    let follows = header.first > 1 || header.previous == 0
    checkWalk(bytes, first: header.first, isSound: damage == nil && follows)
}

/// A mark is found however the file is read.
private func checkProof(_ file: FolderFile, _ damage: LogDamage) {
    let whole = try? DurabilityProof.find(in: file, from: damage.byte, for: damage.sequence)
    let pieces = try? DurabilityProof.find(
        in: file, from: damage.byte, for: damage.sequence, chunkBytes: LogLine.Mark.longest + 7)
    FuzzInput.require(whole == pieces, "the proof depends on how the file is read")
    if let proof = whole { FuzzInput.require(proof.byte >= damage.byte, "a proof before the damage") }
}

/// Behind damage only what has a later sequence number is found.
private func checkRest(_ reader: inout SegmentReader) {
    var last = reader.position.last
    var item = try? reader.findNext()
    while let found = item, found != .end {
        switch found {
        case .commit(let commit):
            FuzzInput.require(
                commit.sequence > last && commit.sequence == reader.position.last, "a commit that goes back")
            last = commit.sequence
            item = try? reader.next()
        case .mark:
            last = reader.position.last
            item = try? reader.next()
        case .damage: item = try? reader.findNext()
        case .header, .end: return
        }
    }
}

/// An inspection of the segment finds something wrong exactly where reading it does.
private func checkWalk(_ bytes: [UInt8], first: Int, isSound: Bool) {
    guard let folder = try? StoreFolder("folder", fileSystem: MemoryFileSystem(bytes)) else { return }
    let segment = Manifest.Segment(first: first)
    var walk = LogWalk(of: nil, [segment], in: folder)
    var inspection = SegmentInspection(of: segment, isLast: true, known: 0, durable: nil, snapshots: [])
    var commits = 0
    try? inspection.read(&walk) { _, _ in commits += 1 }
    FuzzInput.require(
        inspection.findings.isEmpty == isSound, "the inspection and the reader differ: \(inspection.findings)")
    // What is wrong with a last segment is read a second time: it might have been written to.
    let readings = isSound ? 1 : 2
    let runs = inspection.runs
    FuzzInput.require(
        runs.reduce(0) { $0 + $1.count } * readings == commits, "the runs do not hold the commits that were read")
    FuzzInput.require(zip(runs, runs.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }, "runs that overlap")
    _ = inspection.findings.map(\.description)
}

/// A segment written again from what was read of it.
private struct SegmentCopy {
    private(set) var bytes: [UInt8] = []
    private var checksum: UInt32 = 0
    private var last = 0

    mutating func append(_ header: SegmentHeader, to position: SegmentReader.Position) {
        let line = header.line(sectorBytes: 1)
        bytes += line.bytes
        pad(from: 0, line.checksum, to: position)
        last = header.first - 1
    }

    mutating func append(_ sequence: Int, _ payload: [UInt8], to position: SegmentReader.Position) {
        var batch = LogBatch(after: checksum, CommitChain(0))
        batch.append(sequence: sequence) { $0 += payload }
        let start = bytes.count
        bytes += batch.bytes
        pad(from: start, batch.checksum, to: position)
        last = sequence
    }

    mutating func appendMark(to position: SegmentReader.Position) {
        let start = bytes.count
        let checksum = bytes.appendMark(synced: last, after: checksum)
        pad(from: start, checksum, to: position)
    }

    /// Fills the last line up as the writer did.
    private mutating func pad(from start: Int, _ checksum: UInt32, to position: SegmentReader.Position) {
        FuzzInput.require(bytes.count <= position.offset, "a line is shorter than what it says")
        self.checksum = bytes.padLastLine(from: start, checksum: checksum, with: position.offset - bytes.count)
        FuzzInput.require(self.checksum == position.checksum, "the checksum is not that of the line")
    }
}
