import Bytes

extension Journal {
    /// Why the journal cannot write: when it was opened, the disk had no room for the files that writing needs. The
    /// state can be read; `flush` fails with `.noSpace` until `findRoom` succeeds.
    package var noSpaceFailure: FlushFailure? { unready.map { FlushFailure(kind: .noSpace, cause: $0.cause) } }

    /// Whether there is room for a small batch. It writes a file of its own to find out, and drops expired history if
    /// that is necessary.
    ///
    /// Call it after a flush failed with `.noSpace`, to learn whether another one can succeed.
    ///
    /// - Parameter warn: receives the warnings of a recovery that can be completed only now.
    package func findRoom(now: Timestamp, warn: (RecoveryReport.Warning) -> Void = { _ in }) -> Bool {
        guard (try? requireInPlace()) != nil else { return false }
        guard let unready else { return hasRoom() || (dropOld(now: now) && hasRoom()) }
        // The sequence numbers of the batch would be assigned twice.
        guard batch.isEmpty else { return false }
        var recovery = unready.recovery
        let known = recovery.report.warnings.count
        do throws(JournalError) {
            segment = try recovery.write(now: now)
        } catch {
            self.unready = (recovery, unready.cause)
            for found in recovery.report.warnings[known...] { warn(found) }
            if let cause = error.cause, cause.isNoSpace {
                // Removing the spare file makes room for the next attempt, which can then drop expired history.
                if history?.hasOld(in: recovery.manifest, now: now, neededAfter: neededAfter) ?? false {
                    try? folder.remove(FileName.spare)
                }
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
