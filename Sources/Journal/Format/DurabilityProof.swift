import Bytes

/// Tells a broken end from damage.
///
/// Recovery reads the last segment until a line does not prove itself. Either the process or the power failed while
/// this line was being written, or it was whole once and has been damaged since. In the first case nobody was told
/// that its commits are done: they may be cut. In the second they may be answered: cutting them, and all behind them,
/// would lose what was promised.
///
/// The length of what is left says nothing: a lost sector can lie anywhere in a long batch, and a damaged line may be
/// the last. Nor does a sound line behind the broken one: the sectors of one unfinished batch reach the disk in any
/// order, so its first line may be lost and its second line whole. The difference is whether the broken line was on
/// stable storage once, and that the log itself says. Behind every batch, as soon as its sync has returned and before
/// anybody is answered, stands a mark, `{"synced":1202,"after":"77d2a9e4"}`. So:
///
/// > The log is damaged at commit n if anywhere behind that place there is a mark that says that n was synced.
/// > Otherwise it ends there.
///
/// A mark is found by its text, at any offset and not only at the start of a line, and is proved by its own
/// checksum, which goes on from the one that it repeats in `after`. It needs no line before it and no line feed
/// behind it. Therefore whatever is damaged, the proof survives unless the damage lies in the mark as well:
///
/// - A byte in the JSON or the checksum of a line: the mark of its batch stands behind it.
/// - A line feed, so that two lines become one, or a byte that becomes a line feed: the same; and when the second of
///   two merged lines is the mark itself, it is found inside the merged line.
/// - A byte in a mark: every commit before it has been read; the next commit, n, is the first of the next batch,
///   whose mark stands behind it. If there is none, n was never answered, and only the damaged mark is cut.
/// - The last commit of all: it is answered only after its mark is written, so while the machine has not lost its
///   power the mark is there. Other logs cannot tell this case from a torn end.
/// - A lost or garbled sector in a batch that was not synced: no mark behind it, since marks are written after syncs.
///   The sector holds no commit of an earlier batch, since each batch begins a sector (`LogLine`).
/// - Garbage or lines of an older log behind the end: they have no mark for n, and are cut.
///
/// What is left is two faults at once: the power fails, so that the last mark is lost, and before the next start a
/// byte of the last batch, which was synced, changes. This looks like a torn end in every log; or, where all of the
/// batch has become zeros, like no batch at all.
///
/// The manifest proves as well: a snapshot of sequence s was written after s was synced, and so was the segment that
/// follows s. And after a clean stop every broken line is damage.
struct DurabilityProof: Equatable {
    /// Where in the file the mark's line begins.
    let byte: Int
    /// Every commit up to this one was on stable storage.
    let synced: Int

    /// Looks for a mark that says that a commit was synced.
    ///
    /// - Parameters:
    ///   - start: where the first line begins that does not prove itself.
    ///   - sequence: the commit that should stand there.
    static func find(
        in file: any OpenFile, from start: Int, for sequence: Int, chunkBytes: Int = 64 << 10
    ) throws(FileSystemError) -> DurabilityProof? {
        var found: DurabilityProof?
        try search(file, from: start, chunkBytes) { proof in
            if proof.synced >= sequence { found = proof }
            return found == nil
        }
        return found
    }

    /// Looks for the mark that says most; nil when there is none in the file.
    static func last(in file: any OpenFile, chunkBytes: Int = 64 << 10) throws(FileSystemError) -> DurabilityProof? {
        var found: DurabilityProof?
        try search(file, from: 0, chunkBytes) { proof in
            if proof.synced >= found?.synced ?? 0 { found = proof }
            return true
        }
        return found
    }

    /// Shows each mark, and goes on while that is wanted.
    private static func search(
        _ file: any OpenFile, from start: Int, _ chunkBytes: Int, goesOn: (DurabilityProof) -> Bool
    ) throws(FileSystemError) {
        var offset = start
        while true {
            let chunk = try file.read(at: offset, count: chunkBytes)
            var position = 0
            while let brace = chunk.firstIndex(of: UInt8(ascii: "{"), from: position) {
                if let synced = synced(markAt: brace, in: chunk),
                    !goesOn(DurabilityProof(byte: offset + brace - LogLine.prefixLength, synced: synced))
                {
                    return
                }
                position = brace + 1
            }
            guard chunk.count == chunkBytes else { return }
            // A mark that the end of this piece cuts in two is whole in the next.
            offset += chunkBytes - LogLine.Mark.longest
        }
    }

    private static func synced(markAt brace: Int, in chunk: [UInt8]) -> Int? {
        guard brace >= LogLine.prefixLength else { return nil }
        var cursor = TextCursor(chunk[brace...])
        guard let mark = LogLine.Mark(&cursor) else { return nil }
        let line = chunk[(brace - LogLine.prefixLength)..<cursor.rest.startIndex]
        guard (try? LogLine.open(line, continuing: mark.after)) != nil else { return nil }
        return mark.synced
    }
}
