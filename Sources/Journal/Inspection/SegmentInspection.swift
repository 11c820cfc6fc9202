struct SegmentInspection {
    let segment: Manifest.Segment
    let isLast: Bool
    /// The newest commit that other files of the folder mention.
    let known: Int
    /// The segment must reach at least so far.
    let durable: DurableEnd?
    /// The log must lead to their states.
    let snapshots: [Manifest.Snapshot]

    private(set) var runs: [ClosedRange<Int>] = []
    /// nil when the file is gone.
    private(set) var length: Int?
    private(set) var findings: [InspectionReport.Finding] = []
    /// That was read, or that should be there.
    private(set) var last: Int
    /// Where the lines contradict a snapshot; reported unless the segment has more severe damage.
    private var contradiction: InspectionReport.Finding?

    init(of segment: Manifest.Segment, isLast: Bool, known: Int, durable: DurableEnd?, snapshots: [Manifest.Snapshot]) {
        (self.segment, self.isLast, self.known) = (segment, isLast, known)
        (self.durable, self.snapshots) = (isLast ? durable : nil, snapshots)
        last = segment.first - 1
    }

    /// Then findings that change each time are reported too.
    private static let attempts = 5

    private var name: String { segment.name }
    private var seal: Manifest.End? { segment.seal?.end }

    /// The last segment may be written to, so it is read again until two attempts find the same damage.
    mutating func read(_ walk: inout LogWalk, commit: FolderSurvey.Visitor) throws(JournalError) {
        let (fresh, start) = (self, walk)
        for _ in 0..<Self.attempts {
            let before = findings
            (self, walk) = (fresh, start)
            try readOnce(&walk, commit)
            guard isLast, !findings.isEmpty, findings != before else { return }
        }
    }

    private mutating func readOnce(_ walk: inout LogWalk, _ commit: FolderSurvey.Visitor) throws(JournalError) {
        var next = try walk.next()
        length = try walk.file?.length()
        while let event = next {
            switch event {
            case .commit(let found):
                runs.append(found.sequence...found.sequence)
                commit(found.sequence, found.payload)
                compareChain(at: walk.position)
            case .header, .mark: break
            case .end: return end(walk.position)
            case .damage(let damage):
                next = try walk.resume()
                if let next {
                    report(damage, through: next == .mark ? walk.position.last : walk.position.last - 1, isEnd: false)
                } else {
                    try end(at: damage, of: walk)
                }
                continue
            }
            next = try walk.next()
        }
    }

    /// A log that was not closed, and does not reach a snapshot that was made of it, has lost an unknown number of
    /// commits: one more than the snapshot is expected, so that the loss is reported.
    private func expected(_ last: Int) -> Int {
        if let seal { return max(last, seal.last) }
        let last = max(last, durable?.sequence ?? 0)
        return isLast && last < known ? known + 1 : last
    }

    /// Nothing can be read after it.
    private mutating func end(at damage: LogDamage, of walk: LogWalk) throws(JournalError) {
        guard let file = walk.file else {
            let extent = seal == nil ? ", and nothing says how many commits it held" : ""
            findings.append(.init(name, sequence: segment.first, damage.text + extent))
            // At least one commit is missing that no snapshot contains.
            last = seal?.last ?? max(segment.first, known + 1)
            return
        }
        if walk.header == nil {
            findings.append(.init(name, line: 1, byte: 0, sequence: segment.first, damage.text))
            // The lines belong to another log. Marks may show how far this log went.
            last = expected(seal == nil ? max(segment.first, try DurabilityProof.last(in: file)?.synced ?? 0) : 0)
        } else {
            let proof = try DurabilityProof.find(in: file, from: damage.byte, for: damage.sequence)
            last = expected(max(damage.sequence - 1, proof?.synced ?? 0))
            report(damage, through: last, isEnd: true)
        }
    }

    /// With the commits from there on that cannot be read.
    private mutating func report(_ damage: LogDamage, through last: Int, isEnd: Bool) {
        let first = damage.sequence
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
            .init(name, line: damage.line, byte: damage.byte, sequence: first, "\(damage.text); \(consequence)"))
    }

    private mutating func compareChain(at position: SegmentReader.Position) {
        guard let chain = position.chain, let snapshot = snapshots.first(where: { $0.sequence == position.last }),
            snapshot.chain != chain
        else { return }
        contradiction = .init(
            name, line: position.lines, sequence: position.last,
            "the chain of the commits is not that of \(snapshot.name)")
    }

    /// Compares the end of the file with the manifest, or else with the snapshots.
    private mutating func end(_ position: SegmentReader.Position) {
        last = expected(position.last)
        let message: String
        if let seal, position.last >= seal.last, !seal.isReached(by: position) {
            // Another copy of the store continued from here with other commits.
            (runs, last) = ([], seal.last)
            message = "the lines are not those that the manifest describes"
        } else if let seal {
            // Otherwise the difference follows from invalid lines before it.
            guard let length, !seal.isEnd(at: position, length: length),
                findings.isEmpty || position.last < seal.last
            else { return findings += [contradiction].compactMap(\.self) }
            message = seal.difference(from: position, length: length)
        } else {
            guard last > position.last else { return findings += [contradiction].compactMap(\.self) }
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
