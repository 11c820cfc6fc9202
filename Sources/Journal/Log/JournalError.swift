import Bytes

/// Why a journal could not be opened or read; `description` is for the administrator.
package struct JournalError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        case damaged, missingFile, foreignFolder, wrongStore, unknownFormat, locked, forbidden, inputOutput
        case historyDropped, notEmpty, unfinished, displaced
        /// The manifest does not list it, and it cannot be a leftover.
        case unexpectedFile
        /// Valid, but the store cannot interpret it.
        case notReplayable
        /// Valid, but contains no state of a store.
        case noBackup
        /// A server has dropped a file while the folder was copied: survey it again.
        case changed
    }

    package let kind: Kind
    /// Without a full stop.
    package let message: String
    package private(set) var file: String?
    /// The line, from 1, its offset, and the affected commit.
    package private(set) var line, byte, sequence: Int?
    package let nextStep: String
    package private(set) var cause: FileSystemError?
    /// A sync failed, the disk failed, or the folder was displaced. It is unknown what is on disk, and a second sync
    /// could falsely succeed: acknowledge nothing and end the process with 74. The next start rewrites what it can
    /// read.
    package private(set) var isFatal: Bool

    init(
        _ kind: Kind, _ message: String, file: String? = nil, line: Int? = nil, byte: Int? = nil,
        sequence: Int? = nil, nextStep: String, cause: FileSystemError? = nil
    ) {
        (self.kind, self.message, self.nextStep) = (kind, message, nextStep)
        (self.file, self.line, self.byte, self.sequence, self.cause) = (file, line, byte, sequence, cause)
        isFatal = cause?.isFatal ?? false
    }

    /// The same error of a journal that cannot go on after it.
    var ending: JournalError {
        var error = self
        error.isFatal = true
        return error
    }

    package var isMissing: Bool { cause?.isMissing ?? false }
    package var isNoSpace: Bool { cause?.isNoSpace ?? false }
    package var isDisplaced: Bool { cause?.isDisplaced ?? false }
    /// Without what to do next.
    package var detail: String { cause?.description ?? "\(file ?? ""): \(message)" }

    package var description: String {
        let place = Self.place(file, line, byte, sequence)
        return "\(place.isEmpty ? "" : "\(place): ")\(message). \(nextStep)"
    }

    /// Such as `wal-00000000000000000001.log, line 3, byte 512, sequence 2`.
    static func place(_ file: String?, _ line: Int?, _ byte: Int?, _ sequence: Int?) -> String {
        let numbers = [("line", line), ("byte", byte), ("sequence", sequence)]
        let texts = numbers.compactMap { name, number in number.map { "\(name) \($0)" } }
        return ([file].compactMap(\.self) + texts).joined(separator: ", ")
    }
}

extension JournalError {
    static func damaged(_ file: String, _ damage: LogDamage, because reason: String, in folder: String) -> JournalError
    {
        JournalError(
            .damaged, "\(damage.text), and \(reason)", file: file, line: damage.line, byte: damage.byte,
            sequence: damage.sequence, nextStep: repairStep(folder))
    }

    static func damaged(
        _ file: String, _ message: String, line: Int? = nil, byte: Int? = nil, sequence: Int? = nil, in folder: String
    ) -> JournalError {
        JournalError(
            .damaged, message, file: file, line: line, byte: byte, sequence: sequence, nextStep: repairStep(folder))
    }

    static func missing(_ file: String, in folder: String) -> JournalError {
        JournalError(
            .missingFile, "the file belongs to the store and is gone", file: file,
            nextStep: "Put it back if you moved it. \(repairStep(folder))")
    }

    static func missingManifest(besides file: String, in folder: String) -> JournalError {
        JournalError(
            .missingFile, "the file is gone, but \(file) is there, so this folder is not new", file: FileName.manifest,
            nextStep: "Put it back if you moved it. \(repairStep(folder))")
    }

    static func unexpected(_ file: String, _ reason: String, in folder: String) -> JournalError {
        JournalError(
            .unexpectedFile, "the manifest does not list this file, and \(reason)", file: file,
            nextStep: "If an old manifest.json was put here, put the newer one back. \(repairStep(folder))")
    }

    static func foreign(_ name: String, in folder: String) -> JournalError {
        JournalError(
            .foreignFolder, "\(folder) is neither empty nor a data folder of sooke: it contains \(name)",
            nextStep: "Name another folder with --data, or empty this one.")
    }

    static func wrongStore(_ file: String, found: String, expected: String) -> JournalError {
        JournalError(
            .wrongStore, "the file belongs to another store (\(found)) than manifest.json (\(expected))", file: file,
            nextStep: "Put the files of one store together again; a copy of a data folder is a copy of all its files.")
    }

    static func unknownFormat(_ file: String, version: Int) -> JournalError {
        let advice =
            version < CheckedDocument.version
            ? "Export it with the version of sooke that wrote it (`sooke export`), and import that into a new folder."
            : "Start the version of sooke that wrote it, or another whose `sooke version` says disk format "
                + "\(version) or later."
        return JournalError(
            .unknownFormat, CheckedDocument.unknown(version), file: file, nextStep: "\(advice) Nothing was changed.")
    }

    static func noRoomForBackup(_ error: JournalError, bytes: Int, free: Int, in folder: String) -> JournalError {
        let missing = bytes > free ? ", and \(Count(bytes - free, "byte")) of room are missing" : ""
        return JournalError(
            .inputOutput,
            "there is no room for \(folder)/\(FileName.formatBackup), the backup that is made before disk format "
                + "\(CheckedDocument.version) is written: it has \(Count(bytes, "byte"))\(missing)",
            nextStep: "Free some room on the disk and start again. Nothing was changed.", cause: error.cause)
    }

    static func notReplayable(
        _ file: String, line: Int, byte: Int? = nil, sequence: Int? = nil, _ error: any Error
    ) -> JournalError {
        JournalError(
            .notReplayable, "the file is whole, but this program cannot use it: \(error)", file: file, line: line,
            byte: byte, sequence: sequence,
            nextStep: "Start the version of sooke that wrote it. Nothing was changed.")
    }

    /// The log does not go on after a position that it had.
    package static func historyEnds(after position: CommitPosition, in folder: String) -> JournalError {
        JournalError(
            .historyDropped, "the log in \(folder) no longer has what follows \(position)",
            sequence: position.sequence + 1,
            nextStep: "Begin again with a backup, or a whole export; --keep-history sets how long history is stored.")
    }

    static func historyDropped(after sequence: Int, first: Int) -> JournalError {
        JournalError(
            .historyDropped, "the log begins at sequence \(first)", sequence: sequence + 1,
            nextStep: "Request later commits; --keep-history sets how long history is stored.")
    }

    static func notEmpty(_ folder: String, holds name: String) -> JournalError {
        JournalError(
            .notEmpty, "\(folder) is not empty: it contains \(name)",
            nextStep: "Name a folder that is not there yet, or an empty one. Nothing was changed.")
    }

    static func unfinished(_ folder: String) -> JournalError {
        JournalError(
            .unfinished, "a restore or repair into \(folder) was interrupted, so the folder is incomplete",
            file: FileName.unfinished, nextStep: "Delete \(folder) and run that command again.")
    }

    static func notBuildable(_ sequence: Int, in folder: String) -> JournalError {
        JournalError(
            .historyDropped, "the state after this commit cannot be built from the files in \(folder)",
            sequence: sequence,
            nextStep: "`sooke verify --data \(ShellWord.quoted(folder))` shows what can be read.")
    }

    static func noBackup(_ file: String) -> JournalError {
        JournalError(
            .noBackup, "this is an export, which contains records but no state of a store", file: file,
            nextStep: "`sooke import --data NEWDIR \(ShellWord.quoted(file))` makes a new town of it.")
    }

    static func damagedBackup(_ file: String, _ fault: CheckedDocumentError, byte: Int) -> JournalError {
        JournalError(
            .damaged, fault.description, file: file, line: fault.line, byte: byte,
            nextStep: "Use another backup file. Nothing was changed.")
    }

    static func changed(_ file: String, in folder: String) -> JournalError {
        JournalError(
            .changed, "a server dropped the file while \(folder) was copied", file: file,
            nextStep: "Run the command again. Nothing was changed.")
    }

    static func system(_ error: FileSystemError, in folder: String) -> JournalError {
        let next: String
        switch true {
        case error.isDisplaced:
            return JournalError(
                .displaced, error.description, nextStep: "Start again once the folder is where it belongs.",
                cause: error)
        case error.isLocked:
            return JournalError(
                .locked, "another process uses \(folder)", nextStep: "Stop it, or name another folder with --data.",
                cause: error)
        case error.isForbidden:
            next = "Give the user that runs sooke the right to read and write \(folder), or name another with --data."
            return JournalError(.forbidden, error.description, nextStep: next, cause: error)
        case error.isNoSpace: next = "Free some room on the disk and start again. Nothing is lost."
        case error.isMissing: next = "Create the parent folder of \(folder), or name another with --data."
        case error.isFatal: next = "The disk may be failing: look at the kernel's messages before you start again."
        default: next = "Nothing was changed. Start again when the cause is gone."
        }
        return JournalError(.inputOutput, error.description, nextStep: next, cause: error)
    }

    private static func repairStep(_ folder: String) -> String {
        "Next: `sooke verify --data \(ShellWord.quoted(folder))` shows all that is wrong and changes nothing; "
            + "`sooke repair --data \(ShellWord.quoted(folder)) --to NEWDIR` writes what is sound into a new folder."
    }
}
