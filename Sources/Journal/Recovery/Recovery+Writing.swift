import Bytes

/// Makes a folder that was read ready to be written to.
///
/// 1. What is cut from the end of the log is copied into `quarantine/`; a damaged snapshot is moved there.
/// 2. After an unclean stop the last segment is secured: after a sync that failed the page cache shows bytes that the
///    disk never got, and calls them clean. What a mark proves was synced. So where the segment ends with a mark, only
///    that line is written once more, in its place, and the rest is cut off. Else it is written afresh, with all lines
///    that proved themselves: a crash while commits are written over could destroy them.
/// 3. A new segment is begun; an old one is never appended to. (A last segment without commits is replaced by it.)
/// 4. The manifest is swapped: it seals the old segment and names the new one, and from here on the store is open.
/// 5. Leftovers are removed.
///
/// Each step is on stable storage before the next, and doing one twice does no harm: a crash in between leads to the
/// same end. Nothing is answered before all are done.
extension Recovery {
    /// Does the steps; gives the segment to write to. When it throws, it may be called again: what was quarantined
    /// stays so, and all else begins anew.
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
        do throws(FileSystemError) {
            try quarantineTail()
            try quarantineSnapshots()
        } catch {
            throw .system(error, in: folder.path)
        }
        if manifest.closed == nil { try rewriteTail() }
        do throws(FileSystemError) {
            let segment = try beginSegment(now: now)
            removeLeftovers()
            return segment
        } catch {
            throw .system(error, in: folder.path)
        }
    }

    // MARK: - Quarantine

    private mutating func quarantineTail() throws(FileSystemError) {
        guard let tail, let cut = tail.cut, !tail.isQuarantined else { return }
        let source = try folder.open(tail.name)
        let length = try source.lengthWithoutReserve(from: cut.byte)
        var checksum = CRC32C()
        try source.forEachPiece(from: cut.byte, to: length) { piece in checksum.update(piece) }
        var name = Array("\(tail.name).from-\(cut.byte).".utf8)
        name.append(hex: checksum.value)
        let target = String(decoding: name, as: UTF8.self)

        let quarantine = try folder.openQuarantine()
        let file = try folder.create("\(FileName.quarantine)/\(target)")
        try source.forEachPiece(from: cut.byte, to: length) { piece throws(FileSystemError) in try file.append(piece) }
        try file.sync()
        try quarantine.sync()
        report.warnings.append(
            RecoveryReport.Warning(
                kind: .cut, file: tail.name, line: cut.line, byte: cut.byte,
                message:
                    "the log ends before sequence \(cut.sequence): \(cut.text), and nothing behind it was answered; "
                    + "\(length - cut.byte) bytes were moved to \(FileName.quarantine)/\(target)"))
        self.tail?.isQuarantined = true
    }

    private mutating func quarantineSnapshots() throws(FileSystemError) {
        for snapshot in badSnapshots {
            manifest.snapshots.removeAll { $0 == snapshot }
            let quarantine = try folder.openQuarantine()
            do throws(FileSystemError) {
                try folder.rename(snapshot.name, to: "\(FileName.quarantine)/\(snapshot.name)")
            } catch {
                guard error.isMissing else { throw error }
                continue
            }
            try quarantine.sync()
            try folder.sync()
        }
    }

    // MARK: - Segments

    private func rewriteTail() throws(JournalError) {
        guard let tail, tail.hasCommits, !options.failpoints.contains(.trustPageCache) || tail.cut != nil else {
            return
        }
        // The mark has its sector to itself: nothing before it is written over.
        if let mark = tail.mark, mark.isMultiple(of: options.sectorBytes),
            try system({ () throws(FileSystemError) in
                try folder.secure(tail.name, length: tail.position.offset, from: mark)
            })
        {
            return
        }
        let pending = try system { () throws(FileSystemError) in try folder.begin(tail.name) }
        do throws(JournalError) {
            try system { () throws(FileSystemError) in
                let source = try folder.open(tail.name)
                try source.forEachPiece(from: 0, to: tail.position.offset) { piece throws(FileSystemError) in
                    try pending.file.append(piece)
                }
                try pending.sync()
            }
            try verify(pending.file, tail)
            try system(pending.install)
        } catch {
            pending.discard()
            throw error
        }
    }

    /// Reads the copy as a start would, and demands the same end.
    private func verify(_ file: any OpenFile, _ tail: Tail) throws(JournalError) {
        var reader = SegmentReader(file)
        let end = try system { () throws(FileSystemError) in
            guard case .header = try reader.readHeader() else { return SegmentReader.Item.end }
            while true {
                let item = try reader.next()
                switch item {
                case .commit, .mark: continue
                case .damage, .end: return item
                }
            }
        }
        guard end == .end, reader.position == tail.position else {
            throw .damaged(
                tail.name, "the file gives other bytes when it is read a second time", byte: reader.position.offset,
                in: folder.path)
        }
    }

    /// Begins the segment that this process writes to, and swaps the manifest.
    private mutating func beginSegment(now: Timestamp) throws(FileSystemError) -> ActiveSegment {
        let header = SegmentHeader(
            store: manifest.store, first: report.lastSequence + 1, previous: tail?.lastChecksum ?? 0, chain: chain)
        if let tail {
            if tail.hasCommits {
                manifest.segments[manifest.segments.count - 1].seal = Manifest.Seal(end: tail.end, at: now)
            } else {
                manifest.segments.removeLast()
            }
        }
        let segment = try ActiveSegment(begin: header, in: folder, options)
        manifest.segments.append(Manifest.Segment(first: header.first))
        manifest.closed = nil
        try folder.replace(FileName.manifest, with: manifest.bytes)
        return segment
    }

    private mutating func removeLeftovers() {
        let named = Set(manifest.segments.map(\.name))
        for name in leftovers where !named.contains(name) {
            // What stays is harmless, and a leftover to the next start too.
            guard (try? folder.remove(name)) != nil else { continue }
            report.warnings.append(
                RecoveryReport.Warning(
                    kind: .leftover, file: name, message: "an unfinished step had left the file, it was removed"))
        }
    }
}

extension OpenFile {
    /// The length of the file without the zeros at its end, which begins at `start` or later.
    fileprivate func lengthWithoutReserve(from start: Int) throws(FileSystemError) -> Int {
        var (end, offset) = (start, start)
        try forEachPiece(from: start, to: length()) { piece in
            if let last = piece.lastIndex(where: { $0 != 0 }) { end = offset + last + 1 }
            offset += piece.count
        }
        return end
    }

    /// Reads a part of the file in pieces of at most 1 MiB.
    func forEachPiece(
        from start: Int, to end: Int, _ body: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        var offset = start
        while offset < end {
            let piece = try read(at: offset, count: min(1 << 20, end - offset))
            // The file became shorter meanwhile; whoever checks the copy finds out.
            guard !piece.isEmpty else { return }
            try body(piece)
            offset += piece.count
        }
    }
}
