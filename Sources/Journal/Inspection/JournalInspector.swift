/// Reads every byte of a data folder and reports damage. It changes nothing and takes no lock, so it may run while a
/// server does.
///
/// 1. The manifest is read. If it is damaged, the files are found by their names.
/// 2. Every snapshot is read, and every segment from its first line to its last. After an invalid line reading
///    continues at the next valid one, so that all damage is reported and not only the first.
/// 3. Acknowledged commits are lost if the newest state that can be built is older than the last commit that any file
///    in the folder mentions.
/// 4. If anything was found and the manifest has changed meanwhile, a server has sealed or dropped files during the
///    inspection: it starts again.
package struct JournalInspector {
    private let folder: DataFolder
    private let visitor: FolderSurvey.Visitor
    private var report = InspectionReport()
    private var soundSnapshots: [Manifest.Snapshot] = []
    private var readableSegments: [FolderSurvey.Segment] = []
    private var damagedSnapshots: [DamagedSnapshot] = []
    /// How far the log must reach at least.
    private var durable: DurableEnd?
    /// Readable commits, in runs without a gap.
    private var runs: [ClosedRange<Int>] = []

    /// - Throws: `JournalError` when there is nothing to read: no folder, no permission to read it, no store in it.
    package static func inspect(
        _ directory: String, fileSystem: any FileSystem = POSIXFileSystem()
    ) throws(JournalError) -> InspectionReport {
        try survey(directory, fileSystem: fileSystem) { _, _ in }.report
    }

    /// Inspects a data folder, for a copy of its valid parts.
    static func survey(
        _ directory: String, fileSystem: any FileSystem, commit: FolderSurvey.Visitor
    ) throws(JournalError) -> FolderSurvey {
        let folder = try FileSystemError.mapped(directory) { () throws(FileSystemError) in
            try DataFolder(directory, fileSystem: fileSystem)
        }
        var attempt = 0
        while true {
            attempt += 1
            let before = try manifestBytes(folder)
            let survey = try withoutActuallyEscaping(commit) { commit throws(JournalError) in
                var inspector = JournalInspector(folder, commit)
                try inspector.inspect()
                return inspector.survey
            }
            if survey.report.findings.isEmpty || attempt == 5 { return survey }
            if try manifestBytes(folder) == before { return survey }
        }
    }

    private init(_ folder: DataFolder, _ visitor: @escaping FolderSurvey.Visitor) {
        (self.folder, self.visitor) = (folder, visitor)
    }

    private var survey: FolderSurvey {
        FolderSurvey(
            report: report, folder: folder, snapshots: soundSnapshots.sorted { $0.sequence < $1.sequence },
            damagedSnapshots: damagedSnapshots.sorted { $0.sequence < $1.sequence }, segments: readableSegments,
            runs: runs)
    }

    private static func manifestBytes(_ folder: DataFolder) throws(JournalError) -> [UInt8]? {
        do throws(FileSystemError) {
            let file = try folder.open(FileName.manifest)
            return try file.read(at: 0, count: file.length())
        } catch {
            guard error.isMissing else { throw .system(error, in: folder.path) }
            return nil
        }
    }

    private mutating func inspect() throws(JournalError) {
        let names = try system(folder.list)
        if names.contains(FileName.unfinished) {
            report.findings.append(
                .init(FileName.unfinished, "a restore or repair into this folder was interrupted"))
        }
        if let fault = try HistoryRetention.read(folder).fault {
            report.findings.append(.init(FileName.history, fault))
        }
        if let fault = try ReadOnlyFile.read(folder)?.fault {
            report.findings.append(.init(FileName.readOnly, fault))
        }
        let manifest = try manifest(names)
        // Before the log: it may be written to meanwhile.
        durable = try manifest.flatMap { manifest throws(JournalError) in
            try system { () throws(FileSystemError) in try DurableEnd.read(from: folder, manifest) }
        }
        for snapshot in manifest?.snapshots ?? [] { try inspect(snapshot.sequence, expecting: snapshot) }
        var previous = Link()
        if let manifest {
            for segment in manifest.segments {
                let closed = segment.seal == nil ? manifest.closed : nil
                try inspect(segment.first, seal: segment.seal?.end ?? closed, isLast: segment.seal == nil, &previous)
            }
            try inspectUnnamed(names, besides: manifest)
        } else {
            try inspectByNames(names, &previous)
        }
        judge()
    }

    /// Reads the manifest; nil, with a finding, when it is invalid.
    private mutating func manifest(_ names: [String]) throws(JournalError) -> Manifest? {
        guard names.contains(FileName.manifest) else {
            guard names.contains(where: { FileName($0) != nil && FileName($0) != .temporary }) else {
                throw JournalError(
                    .foreignFolder, "\(folder.path) is no data folder of sooke",
                    nextStep: "Name the folder with --data.")
            }
            report.findings.append(.init(FileName.manifest, "the file is gone"))
            return nil
        }
        do throws(JournalError) {
            let manifest = try Manifest.read(from: folder)
            report.identity = manifest.store
            return manifest
        } catch {
            guard error.kind == .damaged else { throw error }
            report.findings.append(.init(FileName.manifest, line: error.line, error.message))
            return nil
        }
    }

    /// Without a manifest the file names determine what is inspected.
    private mutating func inspectByNames(_ names: [String], _ previous: inout Link) throws(JournalError) {
        var segments: [Int] = []
        for name in names.sorted() {
            switch FileName(name) {
            case .segment(let first): segments.append(first)
            case .snapshot(let sequence): try inspect(sequence, expecting: nil)
            case .temporary, nil: continue
            }
        }
        for first in segments { try inspect(first, seal: nil, isLast: first == segments.last, &previous) }
    }

    /// Files that the manifest does not list may be leftovers, but must not contain later commits.
    private mutating func inspectUnnamed(_ names: [String], besides manifest: Manifest) throws(JournalError) {
        let named = Set(manifest.segments.map(\.name) + manifest.snapshots.map(\.name))
        for name in names.sorted() where !named.contains(name) {
            let first: Int
            switch FileName(name) {
            case .segment(let number) where number > report.lastSequence: first = number
            case .snapshot(let number) where number > report.lastSequence: first = number
            default: continue
            }
            // A segment that was begun when the process ended has only a first line.
            let isNext = FileName(name) == .segment(first: report.lastSequence + 1)
            if isNext, try isBegun(name) { continue }
            report.findings.append(
                .init(name, sequence: first, "the manifest does not name the file, and it is newer than the log"))
            report.lastSequence = first
        }
    }

    private func isBegun(_ name: String) throws(JournalError) -> Bool {
        do throws(FileSystemError) {
            var reader = SegmentReader(try folder.open(name))
            guard case .header = try reader.readHeader() else { return false }
            return try reader.next() == .end
        } catch {
            // A running server has removed it.
            guard error.isMissing else { throw .system(error, in: folder.path) }
            return true
        }
    }

    private mutating func judge() {
        if report.findings.isEmpty { return }
        report.verdict = survey.newestState == report.lastSequence ? .damaged : .lost
    }

    // MARK: - Files

    private mutating func inspect(_ sequence: Int, expecting: Manifest.Snapshot?) throws(JournalError) {
        let name = FileName.snapshot(sequence)
        report.lastSequence = max(report.lastSequence, sequence)
        let outcome: DocumentScan.Outcome
        do throws(FileSystemError) {
            let file = try folder.open(name)
            outcome = try DocumentScan.scan(file) { _, _ in }
            report.bytes += try file.length()
        } catch {
            guard error.isMissing else { throw .system(error, in: folder.path) }
            report.findings.append(.init(name, sequence: sequence, "the file is gone"))
            return
        }
        report.snapshots += 1
        switch outcome {
        case .faulty(let fault, let byte):
            let snapshot = try system { () throws(FileSystemError) in
                try DamagedSnapshot(sequence, fault, at: byte, in: folder, expecting: expecting)
            }
            damagedSnapshots.append(snapshot)
            report.findings.append(snapshot.finding)
        case .newer(let version):
            throw .newerFormat(name, version: version)
        case .sound(let document):
            let isOurs =
                document.origin?.sequence == sequence
                && (report.identity == nil || document.origin?.store == report.identity)
            let isNamed =
                expecting.map {
                    $0.length == document.length && $0.checksum == document.checksum
                        && $0.chain == document.origin?.chain
                } ?? true
            if isOurs && isNamed, let origin = document.origin {
                report.identity = origin.store
                soundSnapshots.append(
                    Manifest.Snapshot(
                        sequence: sequence, length: document.length, checksum: document.checksum, at: origin.at,
                        chain: origin.chain))
            } else {
                report.findings.append(.init(name, "it is not the file that the manifest describes"))
            }
        }
    }

    /// What a segment requires of the next one.
    private struct Link {
        /// The sequence number of its first commit; nil before the first segment.
        var next: Int?
        /// What the next one repeats; nil when the end was not readable.
        var end: LogLink?
    }

    private mutating func inspect(
        _ first: Int, seal: Manifest.End?, isLast: Bool, _ link: inout Link
    ) throws(JournalError) {
        let name = FileName.segment(first)
        if let expected = link.next, expected < first {
            report.findings.append(.init(name, sequence: expected, "a segment before it is missing"))
        }
        var walk = SegmentWalk(
            name: name, first: first, seal: seal, isLast: isLast, known: report.lastSequence,
            durable: isLast ? durable : nil, identity: report.identity, snapshots: soundSnapshots)
        do throws(FileSystemError) {
            // The link before the first commit of a store is known.
            let start = report.identity.map(LogLink.start) ?? LogLink(checksum: 0, chain: nil)
            let previous = first == 1 ? start : link.next == first ? link.end : nil
            try walk.read(from: folder, previous: previous, commit: visitor)
        } catch {
            guard error.isMissing else { throw .system(error, in: folder.path) }
            let extent = seal == nil ? ", and nothing says how many commits it held" : ""
            report.findings.append(.init(name, sequence: first, "the file is gone\(extent)"))
            // At least one commit is missing that no snapshot contains.
            report.lastSequence = max(report.lastSequence, seal?.last ?? max(first, report.lastSequence + 1))
            link = Link(next: seal.map { $0.last + 1 }, end: seal.map(LogLink.init))
            return
        }
        report.segments += 1
        report.bytes += walk.length
        report.commits += walk.commits
        report.findings += walk.findings
        report.identity = walk.header?.store ?? report.identity
        if let header = walk.header, let last = walk.runs.last?.upperBound {
            readableSegments.append(FolderSurvey.Segment(header: header, last: last))
        }
        for run in walk.runs { runs.append(run) }
        report.lastSequence = max(report.lastSequence, walk.last)
        link = Link(next: walk.last + 1, end: walk.link)
    }

    private func system<Value>(_ call: () throws(FileSystemError) -> Value) throws(JournalError) -> Value {
        try FileSystemError.mapped(folder.path, call)
    }
}
