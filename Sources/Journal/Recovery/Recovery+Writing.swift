import Bytes

/// Prepares a folder that was read for writing.
///
/// 1. What is cut from the end of the log is copied into `quarantine/`; a damaged snapshot is moved there.
/// 2. After an unclean stop the last segment is secured: after a failed sync the page cache returns bytes that are not
///    on the disk, and treats them as clean. Bytes before a mark were synced. So if the segment ends with a mark, only
///    that line is rewritten in place, and the rest is truncated. Otherwise the segment is copied, with all valid
///    lines: a crash during a rewrite in place could destroy commits.
/// 3. A new segment begins; an old one is never appended to. (It replaces a last segment without commits.)
/// 4. The manifest is replaced: it seals the old segment and lists the new one. From now on the store is open.
/// 5. Leftovers are removed.
///
/// Each step is on stable storage before the next, and repeating one is harmless: a crash in between leads to the same
/// result. Nothing is acknowledged before all steps are done.
extension Recovery {
    /// May be called again after it throws: files stay quarantined, and everything else starts again.
    mutating func write(now: Timestamp) throws(JournalError) -> ActiveSegment {
        let found = manifest
        do throws(JournalError) {
            return try takeSteps(now: now)
        } catch {
            manifest = found
            throw error
        }
    }

    private mutating func takeSteps(now: Timestamp) throws(JournalError) -> ActiveSegment {
        try quarantineTail()
        try quarantineSnapshots()
        if manifest.closed == nil { try rewriteTail() }
        let segment = try beginSegment(now: now)
        removeLeftovers()
        return segment
    }

    private mutating func quarantineTail() throws(JournalError) {
        guard let tail, let cut = tail.cut, !tail.isQuarantined else { return }
        let source = try folder.open(tail.name)
        let length = try source.lengthWithoutReserve(from: cut.byte)
        var checksum = CRC32C()
        try source.forEachPiece(from: cut.byte, to: length) { piece in checksum.update(piece) }
        var name = Array("\(tail.name).from-\(cut.byte).".utf8)
        name.append(hex: checksum.value)
        let target = String(decoding: name, as: UTF8.self)

        try folder.quarantine(target) { file throws(JournalError) in
            try file.append(source, from: cut.byte, to: length)
        }
        let moved = length - cut.byte
        report.warnings.append(
            RecoveryReport.Warning(
                kind: .cut, file: tail.name, line: cut.line, byte: cut.byte,
                message:
                    "the log ends before sequence \(cut.sequence): \(cut.text), and nothing behind it was answered; "
                    + "\(Count(moved, "byte")) \(moved == 1 ? "was" : "were") moved to \(FileName.quarantine)/\(target)"
            ))
        self.tail?.isQuarantined = true
    }

    private mutating func quarantineSnapshots() throws(JournalError) {
        for snapshot in badSnapshots {
            manifest.snapshots.removeAll { $0 == snapshot }
            let quarantine = try folder.openQuarantine()
            do throws(JournalError) {
                try folder.rename(snapshot.name, to: "\(FileName.quarantine)/\(snapshot.name)")
            } catch {
                guard error.isMissing else { throw error }
                continue
            }
            try quarantine.sync()
            try folder.sync()
        }
    }

    private func rewriteTail() throws(JournalError) {
        guard let tail, tail.hasCommits, !options.failpoints.contains(.trustPageCache) || tail.cut != nil else {
            return
        }
        // The mark has a sector of its own: nothing before it is overwritten.
        if let mark = tail.mark, mark.isMultiple(of: options.sectorBytes),
            try folder.secure(tail.name, length: tail.position.offset, from: mark)
        {
            return
        }
        try folder.write(tail.name) { pending throws(JournalError) in
            try pending.file.append(folder.open(tail.name), from: 0, to: tail.position.offset)
            try pending.sync()
            try verify(pending.file, tail)
            try pending.install()
        }
    }

    /// As a start would, with the same end.
    private func verify(_ file: FolderFile, _ tail: Tail) throws(JournalError) {
        var reader = SegmentReader(file)
        var item = try reader.next()
        while item.isValid { item = try reader.next() }
        guard item == .end, reader.position == tail.position else {
            throw .damaged(
                tail.name, "the file gives other bytes when it is read a second time", byte: reader.position.offset,
                in: folder.path)
        }
    }

    private mutating func beginSegment(now: Timestamp) throws(JournalError) -> ActiveSegment {
        let header = SegmentHeader(
            store: manifest.store, first: end.sequence + 1, previous: tail?.lastChecksum ?? 0, chain: end.chain,
            version: options.version)
        if let tail {
            if tail.hasCommits {
                manifest.segments[manifest.segments.count - 1].seal = Manifest.Seal(end: tail.end, at: now)
            } else {
                manifest.segments.removeLast()
            }
        }
        let segment = try ActiveSegment(begin: header, in: folder, options)
        manifest.segments.append(Manifest.Segment(first: header.first))
        (manifest.closed, manifest.version) = (nil, options.version)
        try folder.replace(FileName.manifest, with: manifest.bytes)
        return segment
    }

    private mutating func removeLeftovers() {
        let named = Set(manifest.segments.map(\.name))
        for name in leftovers where !named.contains(name) {
            // A file that cannot be removed is harmless, and a leftover at the next start too.
            guard (try? folder.remove(name)) != nil else { continue }
            report.warnings.append(
                RecoveryReport.Warning(
                    kind: .leftover, file: name, message: "an interrupted step left the file; it was removed"))
        }
    }
}
