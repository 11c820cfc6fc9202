/// Reads one segment from its first line to its last and collects the damage.
struct SegmentWalk {
    let name: String
    let first: Int
    /// The expected end, if it is known.
    let seal: Manifest.End?
    let isLast: Bool
    /// The newest commit that other files of the folder mention.
    let known: Int
    /// How far the segment must reach at least.
    let durable: DurableEnd?
    /// The identity of the store, if it is known.
    let identity: String?
    /// The states that the log must lead to.
    let snapshots: [Manifest.Snapshot]
    /// The header, as read or as reconstructed; nil when it belongs to another log or is unknown.
    private(set) var header: SegmentHeader?

    /// Commits that were read, in runs without a gap.
    private(set) var runs: [ClosedRange<Int>] = []
    private(set) var length = 0
    private(set) var findings: [InspectionReport.Finding] = []
    /// The last commit that was read, or that should be there.
    private(set) var last: Int
    /// What the next segment repeats; nil when the end could not be read.
    private(set) var link: LogLink?
    /// The place where the lines contradict a snapshot.
    private var contradiction: InspectionReport.Finding?

    init(
        name: String, first: Int, seal: Manifest.End?, isLast: Bool, known: Int, durable: DurableEnd?,
        identity: String?,
        snapshots: [Manifest.Snapshot]
    ) {
        (self.name, self.first, self.seal, self.isLast) = (name, first, seal, isLast)
        (self.known, self.durable, self.identity, self.snapshots) = (known, durable, identity, snapshots)
        last = first - 1
        link = seal.map(LogLink.init)
    }

    /// After this many attempts, findings that change each time are reported too.
    private static let attempts = 5

    var commits: Int { runs.reduce(0) { $0 + $1.count } }

    /// Reads the segment. The last one may be written to, so it is read again until two attempts find the same damage.
    ///
    /// - Parameter commit: receives each commit; again when the segment is read again.
    mutating func read(
        from folder: DataFolder, previous: LogLink?, commit: FolderSurvey.Visitor
    ) throws(FileSystemError) {
        let file = try folder.open(name)
        let fresh = self
        for _ in 0..<Self.attempts {
            let before = findings
            self = fresh
            length = try file.length()
            try read(file, previous: previous, commit)
            guard isLast, !findings.isEmpty, findings != before else { return }
        }
    }

    private mutating func read(
        _ file: any OpenFile, previous: LogLink?, _ commit: FolderSurvey.Visitor
    ) throws(FileSystemError) {
        var reader = SegmentReader(file)
        var next = try readHeader(&reader, previous)
        if next == nil {
            // The lines belong to another log. Marks may show how far this log went.
            last = expected(seal == nil ? max(first, try DurabilityProof.last(in: file)?.synced ?? 0) : 0)
        }
        while let item = next {
            switch item {
            case .commit(let found):
                runs.append(found.sequence)
                commit(found.sequence, found.payload)
                compareChain(at: reader.position)
            case .mark: break
            case .end: return end(reader.position)
            case .damage(let damage):
                next = try walkOver(damage, &reader, file)
                continue
            }
            next = try reader.next()
        }
    }

    /// Reads the first line; returns the item after it, nil when that may belong to another log.
    private mutating func readHeader(
        _ reader: inout SegmentReader, _ previous: LogLink?
    ) throws(FileSystemError) -> SegmentReader.Item? {
        switch try reader.readHeader() {
        case .header(let found):
            if found.first != first || identity.map({ $0 != found.store }) ?? false {
                findings.append(.init(name, line: 1, byte: 0, "the first line is that of another segment or store"))
            } else if let previous, !previous.isContinued(by: found) {
                findings.append(.init(name, line: 1, byte: 0, "the segment does not follow the one before it"))
            } else {
                header = found
                return try reader.next()
            }
        case .version(let version):
            findings.append(.init(name, line: 1, byte: 0, "it has version \(version) of its format, later than ours"))
        case .damage(var damage):
            damage.sequence = first
            if let assumed = assumedHeader(after: previous), let item = try reader.next(assuming: assumed) {
                header = assumed
                report(damage, lost: first, to: first - 1, isEnd: false)
                return item
            }
            findings.append(.init(name, line: 1, byte: 0, sequence: first, damage.text))
        }
        return nil
    }

    /// What an invalid first line must have been; nil when that is unknown.
    private func assumedHeader(after previous: LogLink?) -> SegmentHeader? {
        guard let identity, let previous, let chain = previous.chain else { return nil }
        return SegmentHeader(store: identity, first: first, previous: previous.checksum, chain: chain)
    }

    /// The last commit that should be there, if the lines end with this one.
    ///
    /// A log that was not closed, and does not reach a snapshot that was made of it, has lost an unknown number of
    /// commits at its end. The result is one commit more than the snapshot, so that the loss is reported.
    private func expected(_ last: Int) -> Int {
        if let seal { return max(last, seal.last) }
        let last = max(last, durable?.sequence ?? 0)
        return isLast && last < known ? known + 1 : last
    }

    /// Reports an invalid line; returns the next readable item, nil when there is none.
    private mutating func walkOver(
        _ damage: LogDamage, _ reader: inout SegmentReader, _ file: any OpenFile
    ) throws(FileSystemError) -> SegmentReader.Item? {
        let item = try reader.findNext(through: seal?.last ?? .max)
        let found = reader.position.last
        switch item {
        case .commit:
            report(damage, lost: damage.sequence, to: found - 1, isEnd: false)
            return item
        case .mark:
            report(damage, lost: damage.sequence, to: found, isEnd: false)
            return item
        case .damage, .end:
            let proof = try DurabilityProof.find(in: file, from: damage.byte, for: damage.sequence)
            last = expected(max(damage.sequence - 1, proof?.synced ?? 0))
            report(damage, lost: damage.sequence, to: last, isEnd: true)
            return nil
        }
    }

    private mutating func report(_ damage: LogDamage, lost first: Int, to last: Int, isEnd: Bool) {
        let consequence: String
        if first <= last {
            consequence =
                first == last ? "commit \(first) cannot be read" : "commits \(first) to \(last) cannot be read"
        } else if isEnd, isLast, seal == nil {
            consequence = "nothing behind it was answered; the next start cuts it"
        } else {
            consequence = "every commit can be read"
        }
        findings.append(
            .init(
                name, line: damage.line, byte: damage.byte, sequence: damage.sequence,
                "\(damage.text); \(consequence)"))
    }

    /// A snapshot and the log must agree on the chain of its state.
    private mutating func compareChain(at position: SegmentReader.Position) {
        guard let chain = position.chain, let snapshot = snapshots.first(where: { $0.sequence == position.last }),
            snapshot.chain != chain
        else { return }
        contradiction = .init(
            name, line: position.lines, sequence: position.last,
            "the chain of the commits is not that of \(snapshot.name)")
    }

    /// Reports the contradiction, unless the segment has more severe damage.
    private mutating func recordContradiction() {
        if let contradiction { findings.append(contradiction) }
    }

    /// Compares the end of the file with the manifest, or else with the snapshots.
    private mutating func end(_ position: SegmentReader.Position) {
        last = expected(position.last)
        link = seal.map(LogLink.init) ?? LogLink(checksum: position.checksum, chain: position.chain)
        let message: String
        if let seal, position.last >= seal.last, !seal.isReached(by: position) {
            // Another copy of the store continued from here with other commits.
            (runs, last) = ([], seal.last)
            message = "the lines are not those that the manifest describes"
        } else if let seal {
            // Otherwise the difference follows from invalid lines before it.
            guard !seal.isEnd(at: position, length: length), findings.isEmpty || position.last < seal.last else {
                return recordContradiction()
            }
            message = seal.difference(from: position, length: length)
        } else {
            guard last > position.last else { return recordContradiction() }
            let reason = last == durable?.sequence ? durable?.reason : nil
            message =
                "the log ends at sequence \(position.last), and \(reason ?? "a snapshot was made when it was longer")"
        }
        let isLost = position.last < last
        findings.append(
            .init(
                name, line: position.lines + 1, byte: position.offset, sequence: isLost ? position.last + 1 : nil,
                message))
    }
}
