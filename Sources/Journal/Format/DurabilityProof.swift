import Bytes

/// Distinguishes a torn end from damage.
///
/// Recovery reads the last segment up to the first invalid line. Either the process or the power failed while this line
/// was being written, or it was complete once and has been damaged since. In the first case its commits were never
/// acknowledged: they can be cut. In the second case they may have been acknowledged: cutting them, and all after them,
/// would lose acknowledged commits.
///
/// The length of the rest is no evidence: a lost sector can lie anywhere in a long batch, and a damaged line can be the
/// last. Nor is a valid line after the invalid one: the sectors of one unfinished batch reach the disk in any order, so
/// its first line may be lost and its second line complete. What matters is whether the invalid line was on stable
/// storage once, and the log itself records that. After every batch, once its sync has returned and before it is
/// acknowledged, the journal writes a mark, `{"synced":1202,"after":"77d2a9e4"}`. The rule:
///
/// > The log is damaged at commit n if any mark after that place states that n was synced.
/// > Otherwise it ends there.
///
/// A mark is found by its text, at any offset and not only at the start of a line, and is verified by its own checksum,
/// which continues the one that it repeats in `after`. It needs neither the line before it nor the line feed after it.
/// So the proof survives any damage that does not affect the mark too:
///
/// - A byte in the JSON or the checksum of a line: the mark of its batch follows.
/// - A line feed, so that two lines become one, or a byte that becomes a line feed: the same; and when the second of
///   two merged lines is the mark itself, it is found inside the merged line.
/// - A byte in a mark: every commit before it has been read; the next commit, n, is the first of the next batch, whose
///   mark follows. If there is none, n was never acknowledged, and only the damaged mark is cut.
/// - The last commit of all: it is acknowledged only after its mark is written, so unless the machine has lost its
///   power the mark is there. Other logs cannot distinguish this case from a torn end.
/// - A lost or garbled sector in a batch that was not synced: no mark follows, since marks are written after syncs. The
///   sector contains no commit of an earlier batch, since each batch begins a sector (`LogLine`).
/// - Garbage or lines of an older log after the end: they have no mark for n, and are cut.
///
/// Where a part of the file that includes the mark is lost, `DurableEnd` is the proof. Two faults at once remain: the
/// power fails, so that the last mark and the end in the other file are lost, and before the next start a byte of the
/// last batch, which was synced, changes. This looks like a torn end in every log; or, where all of the batch has
/// become zeros, like no batch at all.
///
/// The manifest is evidence too: a snapshot of sequence s was written after s was synced, and so was the segment that
/// follows s. After a clean stop every invalid line is damage.
struct DurabilityProof: Equatable {
    let byte: Int
    let synced: Int

    /// From the first invalid line, for the commit that should be there.
    static func find(
        in file: FolderFile, from start: Int, for sequence: Int, chunkBytes: Int = 64 << 10
    ) throws(JournalError) -> DurabilityProof? {
        var found: DurabilityProof?
        try search(file, from: start, chunkBytes) { proof in
            if proof.synced >= sequence { found = proof }
            return found == nil
        }
        return found
    }

    static func last(in file: FolderFile, chunkBytes: Int = 64 << 10) throws(JournalError) -> DurabilityProof? {
        var found: DurabilityProof?
        try search(file, from: 0, chunkBytes) { proof in
            if proof.synced >= found?.synced ?? 0 { found = proof }
            return true
        }
        return found
    }

    private static func search(
        _ file: FolderFile, from start: Int, _ chunkBytes: Int, goesOn: (DurabilityProof) -> Bool
    ) throws(JournalError) {
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
            // A mark that is split at the end of this piece is complete in the next.
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
