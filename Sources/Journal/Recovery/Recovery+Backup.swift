/// The backup that a start makes before it writes a newer disk format into a folder: the state in the format before, so
/// that the program that wrote the folder can restore it.
///
/// It is written, synced, read back and renamed as a snapshot is, before anything else in the folder changes. The
/// manifest has the newer format at the end of the start; a start that finds the older one, since an earlier one was
/// interrupted, makes the backup again unless it is whole and of the same state.
extension Recovery {
    mutating func backUp(_ replayer: some Replayer) throws(JournalError) {
        let (version, clock) = (manifest.version, replayer.clock)
        guard version < options.version else { return }
        let origin = CheckedDocument.Origin(
            store: manifest.store, position: end, at: clock.at, wall: clock.wall, version: version)
        do throws(JournalError) {
            if case .sound(let found)? = try folder.scanBackup(), found.origin == origin {
                // The name may not be on the disk yet.
                try folder.sync()
            } else {
                try folder.write(FileName.formatBackup, origin) { lines throws(JournalError) in
                    try replayer.appendLines(to: &lines, version: version)
                }
            }
        } catch {
            guard error.isNoSpace else { throw error }
            var lines = SnapshotLines(origin: origin, file: nil)
            try replayer.appendLines(to: &lines, version: version)
            throw .noRoomForBackup(
                error, bytes: try lines.finish().length, free: try folder.diskBytes().free, in: folder.path)
        }
        report.warnings.append(
            RecoveryReport.Warning(
                kind: .upgraded, file: FileName.formatBackup,
                message:
                    "the folder had disk format \(version), and has \(CheckedDocument.version) from now on. The file "
                    + "is a backup for the sooke before (`sooke restore`); delete it when nobody wants to go back"))
    }
}

extension StoreFolder {
    func scanBackup() throws(JournalError) -> DocumentScan.Outcome? {
        do throws(JournalError) {
            return try DocumentScan.scan(open(FileName.formatBackup)) { _, _ in }
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }
}
