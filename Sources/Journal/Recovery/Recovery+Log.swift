import Bytes

extension Recovery {
    /// Reads the commits after `base`, and always the last segment.
    mutating func readLog(after base: Int, into replayer: inout some Replayer) throws(JournalError) {
        let start = manifest.segments.lastIndex { $0.first <= base + 1 } ?? 0
        for (index, segment) in manifest.segments.enumerated() {
            if index < start, let seal = segment.seal {
                try checkLength(of: segment, seal)
                continue
            }
            try read(segment, after: base, previous: previous(of: index), into: &replayer)
        }
        // A file or a snapshot shows that the log once reached at least as far.
        if let tail, let durable, tail.position.last < durable.sequence, !options.failpoints.contains(.cutByLength) {
            throw .damaged(
                tail.name, "the log ends at sequence \(tail.position.last), and \(durable.reason)",
                line: tail.position.lines + 1, byte: tail.position.offset, sequence: tail.position.last + 1,
                in: folder.path)
        }
        if let tail, let newest = manifest.snapshots.last, tail.position.last < newest.sequence {
            throw .damaged(
                tail.name,
                "the log ends at sequence \(tail.position.last), and \(newest.name) was made after it was longer",
                line: tail.position.lines + 1, byte: tail.position.offset, sequence: tail.position.last + 1,
                in: folder.path)
        }
    }

    /// The end of the log before a segment; nil when that part of the log was dropped.
    private func previous(of index: Int) -> LogLink? {
        if index > 0 { return manifest.segments[index - 1].seal.map { LogLink($0.end) } }
        return manifest.segments[index].first == 1 ? .start(of: manifest.store) : nil
    }

    /// A segment that only the older snapshot or the history needs is not read, but must have its full length.
    private func checkLength(of segment: Manifest.Segment, _ seal: Manifest.Seal) throws(JournalError) {
        let length = try system { () throws(FileSystemError) in try folder.open(segment.name).length() }
        guard length == seal.end.length else {
            throw .damaged(
                segment.name,
                "the file has \(Count(length, "byte")), the manifest says \(Count.grouped(seal.end.length))",
                in: folder.path)
        }
    }

    private mutating func read(
        _ segment: Manifest.Segment, after base: Int, previous: LogLink?, into replayer: inout some Replayer
    ) throws(JournalError) {
        let file = try system { () throws(FileSystemError) in try folder.open(segment.name) }
        var reader = SegmentReader(file)
        let header = try readHeader(of: segment, with: &reader, previous: previous)
        var damage: LogDamage?
        var mark: Int?
        reading: while true {
            try require(base, at: reader.position, in: segment)
            let before = reader.position
            switch try system({ () throws(FileSystemError) in try reader.next() }) {
            case .commit(let commit):
                mark = nil
                guard commit.sequence > base else { continue }
                do {
                    try replayer.commit(commit)
                } catch {
                    throw .notReplayable(
                        segment.name, line: reader.position.lines, byte: before.offset, sequence: commit.sequence,
                        error)
                }
                report.replayedCommits += 1
                bytesSinceSnapshot += reader.position.offset - before.offset
            case .mark: mark = before.offset
            case .damage(let found):
                damage = found
                break reading
            case .end: break reading
            }
        }
        if let seal = segment.seal {
            try require(seal.end, of: file, at: reader.position, damage, in: segment, because: "the segment was sealed")
        } else {
            if let closed = manifest.closed {
                try require(
                    closed, of: file, at: reader.position, damage, in: segment,
                    because: "the store was closed after it was written")
            } else if let damage {
                try refuseUnlessTorn(damage, in: segment, file)
            }
            tail = Tail(
                first: segment.first, previous: header.previous, position: reader.position, mark: mark, cut: damage)
        }
    }

    /// The log must lead to the state of the snapshot, with the same chain.
    private func require(
        _ base: Int, at position: SegmentReader.Position, in segment: Manifest.Segment
    ) throws(JournalError) {
        guard position.last == base, let snapshot = manifest.snapshots.first(where: { $0.sequence == base }),
            snapshot.chain != position.chain
        else { return }
        throw .damaged(
            segment.name, "the chain of the commits is not that of \(snapshot.name)", line: position.lines,
            byte: position.offset, sequence: base, in: folder.path)
    }

    private func readHeader(
        of segment: Manifest.Segment, with reader: inout SegmentReader, previous: LogLink?
    ) throws(JournalError) -> SegmentHeader {
        switch try system({ () throws(FileSystemError) in try reader.readHeader() }) {
        case .version(let version):
            throw .newerFormat(segment.name, version: version)
        case .damage(var damage):
            damage.sequence = segment.first
            throw .damaged(
                segment.name, damage, because: "the first line is written before all others", in: folder.path)
        case .header(let header):
            guard header.store == manifest.store else {
                throw .wrongStore(segment.name, found: header.store, expected: manifest.store)
            }
            guard header.first == segment.first, previous?.isContinued(by: header) ?? true else {
                throw .damaged(
                    segment.name, "the first line does not follow the segment before it", line: 1, byte: 0,
                    sequence: segment.first, in: folder.path)
            }
            return header
        }
    }

    /// A sealed segment must end where the manifest states.
    private func require(
        _ stated: Manifest.End, of file: any OpenFile, at position: SegmentReader.Position, _ damage: LogDamage?,
        in segment: Manifest.Segment, because reason: String
    ) throws(JournalError) {
        if let damage { throw .damaged(segment.name, damage, because: reason, in: folder.path) }
        // Not the position of the reader: zeros may follow it, which only an active segment has.
        let length = try system(file.length)
        guard !stated.isEnd(at: position, length: length) else { return }
        throw .damaged(
            segment.name, stated.difference(from: position, length: length), line: position.lines + 1,
            byte: position.offset, sequence: position.last + 1, in: folder.path)
    }

    /// Decides about an invalid line at the end of a log that was not closed.
    private func refuseUnlessTorn(
        _ damage: LogDamage, in segment: Manifest.Segment, _ file: any OpenFile
    ) throws(JournalError) {
        guard !options.failpoints.contains(.cutByLength) else { return }
        let proof = try system { () throws(FileSystemError) in
            try DurabilityProof.find(in: file, from: damage.byte, for: damage.sequence)
        }
        if let proof {
            throw .damaged(
                segment.name, damage,
                because: "byte \(proof.byte) says that all commits up to sequence \(proof.synced) were written",
                in: folder.path)
        }
        if let durable, durable.sequence >= damage.sequence {
            throw .damaged(segment.name, damage, because: durable.reason, in: folder.path)
        }
    }
}

extension Recovery {
    /// Decides about the files that the manifest does not list.
    mutating func judge(_ names: [String]) throws(JournalError) {
        let named = Set(manifest.segments.map(\.name) + manifest.snapshots.map(\.name))
        let oldest = manifest.segments.first?.first
        for name in names.sorted() where !named.contains(name) {
            switch FileName(name) {
            case .temporary:
                leftovers.append(name)
            case .segment(let first):
                // Older ones were dropped from the manifest and must be removed.
                if let oldest, first < oldest {
                    leftovers.append(name)
                } else {
                    try judgeSegment(name, first: first)
                }
            case .snapshot(let sequence):
                // It is created before the manifest lists it, and removed after the manifest drops it.
                guard sequence <= report.lastSequence else {
                    throw .unexpected(
                        name, "it was made after the log, which ends at sequence \(report.lastSequence), was longer",
                        in: folder.path)
                }
                leftovers.append(name)
            case nil: continue
            }
        }
    }

    /// A new segment is created before the manifest lists it; at that time it has a first line and no commit.
    private mutating func judgeSegment(_ name: String, first: Int) throws(JournalError) {
        var reader = SegmentReader(try system { () throws(FileSystemError) in try folder.open(name) })
        guard case .header(let header) = try system({ () throws(FileSystemError) in try reader.readHeader() }),
            case .end = try system({ () throws(FileSystemError) in try reader.next() })
        else {
            throw .unexpected(name, "there is more in it than a first line", in: folder.path)
        }
        guard header.store == manifest.store else {
            throw .wrongStore(name, found: header.store, expected: manifest.store)
        }
        guard first <= report.lastSequence + 1 else {
            throw .unexpected(
                name, "it was begun after the log, which ends at sequence \(report.lastSequence), was longer",
                in: folder.path)
        }
        leftovers.append(name)
    }
}
