/// Reads every byte of a data folder and reports damage. It changes nothing and takes no lock, so it may run while a
/// server does.
///
/// 1. The manifest is read. If it is damaged, the files are found by their names.
/// 2. Every snapshot and every segment is read. After an invalid line reading continues at the next valid one.
/// 3. Acknowledged commits are lost if the newest state that can be built is older than the last commit that any file
///    in the folder mentions.
/// 4. If anything was found and a server has changed the manifest meanwhile, the inspection starts again.
extension FolderSurvey {
    /// - Parameter commit: receives each commit in order; those from one of them on again when a server may have
    ///   changed files meanwhile.
    /// - Throws: when there is nothing to read: no folder, no permission to read it, no store in it.
    package init(
        of directory: String, fileSystem: any FileSystem = POSIXFileSystem(), commit: Visitor = { _, _ in }
    ) throws(JournalError) {
        let folder = try StoreFolder(directory, fileSystem: fileSystem)
        self.init(folder)
        for _ in 1...5 {
            let before = try folder.bytes(of: FileName.manifest)
            self = FolderSurvey(folder)
            try inspect(commit)
            if report.findings.isEmpty { return }
            if try folder.bytes(of: FileName.manifest) == before { return }
        }
    }

    private mutating func inspect(_ commit: Visitor) throws(JournalError) {
        let names = try folder.list()
        if names.contains(FileName.unfinished) {
            report.findings.append(
                .init(FileName.unfinished, "a restore or repair into this folder was interrupted"))
        }
        if let fault = try HistoryAge.read(folder).fault {
            report.findings.append(.init(FileName.history, fault))
        }
        if let fault = try ReadOnlyFile.read(folder)?.fault {
            report.findings.append(.init(FileName.readOnly, fault))
        }
        try inspectBackup()
        let manifest = try manifest(names)
        // Before the log: it may be written to meanwhile.
        let durable = try manifest.flatMap { manifest throws(JournalError) in
            try DurableEnd.read(from: folder, manifest)
        }
        for snapshot in manifest?.snapshots ?? [] { try inspect(snapshot.sequence, expecting: snapshot) }
        if manifest == nil {
            // The file names determine what is inspected.
            for case .snapshot(let sequence)? in names.sorted().map(FileName.init) {
                try inspect(sequence, expecting: nil)
            }
        }
        log =
            manifest?.log
            ?? names.sorted().compactMap { name in
                if case .segment(let first)? = FileName(name) { Manifest.Segment(first: first) } else { nil }
            }
        try inspectLog(durable, commit)
        if let manifest { try inspectUnnamed(names, besides: manifest) }
        if report.findings.isEmpty { return }
        report.verdict = newestState == report.lastSequence ? .damaged : .lost
    }

    /// nil, with a finding, when it is invalid.
    private mutating func manifest(_ names: [String]) throws(JournalError) -> Manifest? {
        guard names.contains(FileName.manifest) else {
            guard names.contains(where: { FileName($0) != nil && FileName($0) != .temporary }) else {
                throw JournalError(
                    .foreignFolder, "\(folder.path) is not a data folder of sooke",
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

    /// They may be leftovers, but must not contain later commits.
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
        do throws(JournalError) {
            return try SegmentReader.header(ofEmpty: folder.open(name)) != nil
        } catch {
            // A running server has removed it.
            guard error.isMissing else { throw error }
            return true
        }
    }

    private mutating func inspectBackup() throws(JournalError) {
        switch try folder.scanBackup() {
        case .sound(let document)?: report.bytes += document.length
        case .faulty(let fault, let byte)?:
            let message = "\(fault); no start needs this backup for an earlier sooke, so it can be deleted"
            report.findings.append(.init(FileName.formatBackup, line: fault.line, byte: byte, message))
        case .unknown?, nil: break
        }
    }

    private mutating func inspect(_ sequence: Int, expecting: Manifest.Snapshot?) throws(JournalError) {
        let name = FileName.snapshot(sequence)
        report.lastSequence = max(report.lastSequence, sequence)
        let outcome: DocumentScan.Outcome
        do throws(JournalError) {
            let file = try folder.open(name)
            outcome = try DocumentScan.scan(file) { _, _ in }
            report.bytes += try file.length()
        } catch {
            guard error.isMissing else { throw error }
            report.findings.append(.init(name, sequence: sequence, "the file is gone"))
            return
        }
        report.snapshots += 1
        switch outcome {
        case .faulty(let fault, let byte):
            let snapshot = try DamagedSnapshot(sequence, fault, at: byte, in: folder, expecting: expecting)
            damagedSnapshots.append(snapshot)
            report.findings.append(snapshot.finding)
        case .unknown(let version):
            throw .unknownFormat(name, version: version)
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
                snapshots.append(
                    Manifest.Snapshot(
                        sequence: sequence, length: document.length, checksum: document.checksum, at: origin.at,
                        chain: origin.chain))
            } else {
                report.findings.append(.init(name, "it is not the file that the manifest describes"))
            }
        }
    }

    private mutating func inspectLog(_ durable: DurableEnd?, _ commit: Visitor) throws(JournalError) {
        var walk = LogWalk(of: report.identity, log, in: folder)
        var next: Int?
        for segment in log {
            if let next, next < segment.first {
                report.findings.append(.init(segment.name, sequence: next, "a segment before it is missing"))
            }
            var inspection = SegmentInspection(
                of: segment, isLast: segment == log.last, known: report.lastSequence, durable: durable,
                snapshots: snapshots)
            try inspection.read(&walk, commit: commit)
            if let length = inspection.length {
                report.segments += 1
                report.bytes += length
            }
            report.commits += inspection.runs.reduce(0) { $0 + $1.count }
            report.findings += inspection.findings
            if let header = walk.header, !inspection.runs.isEmpty { headers.append(header) }
            for run in inspection.runs { runs.append(run) }
            report.lastSequence = max(report.lastSequence, inspection.last)
            next = inspection.last + 1
        }
        report.identity = walk.store
    }
}
