import Bytes

extension Journal {
    /// Why nothing can be written since the journal was opened: there was no room to make the folder ready for it. All
    /// can be read, and `flush` fails with `.noSpace` until `findRoom` has found some.
    public var noSpaceFailure: FlushFailure? { unready.map { FlushFailure(kind: .noSpace, cause: $0.cause) } }

    /// Whether there is room for a small batch, tried with a file of its own; also by dropping history that is too old.
    ///
    /// After a flush that failed with `.noSpace` it tells when another one may do better.
    ///
    /// - Parameter warn: is called with what a person should hear of, where the folder is made ready only now.
    public func findRoom(now: Timestamp, warn: (RecoveryReport.Warning) -> Void = { _ in }) -> Bool {
        guard (try? requireInPlace()) != nil else { return false }
        guard let unready else { return hasRoom() || (dropOld(now: now) && hasRoom()) }
        // The numbers of what is in the batch would be given a second time.
        guard batch.isEmpty else { return false }
        var recovery = unready.recovery
        let known = recovery.report.warnings.count
        do throws(JournalError) {
            segment = try recovery.write(now: now)
        } catch {
            self.unready = (recovery, unready.cause)
            for found in recovery.report.warnings[known...] { warn(found) }
            if let cause = error.cause, cause.isNoSpace {
                // With the room that is spared for that the folder is made ready next time, and can drop old history.
                if history?.hasOld(in: recovery.manifest, now: now) ?? false { try? folder.remove(FileName.spare) }
                return false
            }
            let cause = error.cause ?? FileSystemError(.read, path: folder.path, code: FileSystemError.broken)
            if cause.isFatal { _ = fail(cause) }
            return false
        }
        self.unready = nil
        manifest = recovery.manifest
        batch.reset(after: segment.checksum, segment.chain)
        lastSequence = durableSequence
        measureFiles()
        _ = dropOld(now: now)
        for found in recovery.report.warnings[known...] { warn(found) }
        return true
    }

    private func hasRoom() -> Bool {
        do throws(FileSystemError) {
            let trial = try folder.begin(FileName.manifest)
            defer { trial.discard() }
            try trial.file.append([UInt8](repeating: 0, count: 64 << 10))
            return true
        } catch {
            return false
        }
    }
}
