/// Why a journal could not be opened or read.
///
/// `description` is for the administrator: what is wrong, where, and what to do next.
package struct JournalError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for programs.
    package struct Kind: Sendable, Hashable {
        private enum Code: Sendable, Hashable {
            case damaged, missingFile, unexpectedFile, foreignFolder, wrongStore, newerFormat, locked, forbidden
            case inputOutput, notReplayable, historyDropped, notEmpty, noBackup, unfinished, displaced, changed
        }

        private let code: Code

        package static let damaged = Kind(code: .damaged)
        package static let missingFile = Kind(code: .missingFile)
        /// The folder contains a file of this program that the manifest does not list, and that cannot be a leftover.
        package static let unexpectedFile = Kind(code: .unexpectedFile)
        /// The folder contains other files.
        package static let foreignFolder = Kind(code: .foreignFolder)
        package static let wrongStore = Kind(code: .wrongStore)
        /// A later version of this program wrote the file.
        package static let newerFormat = Kind(code: .newerFormat)
        package static let locked = Kind(code: .locked)
        /// The operating system forbids it.
        package static let forbidden = Kind(code: .forbidden)
        /// A system call failed in another way.
        package static let inputOutput = Kind(code: .inputOutput)
        /// A file is valid, but the store cannot interpret it.
        package static let notReplayable = Kind(code: .notReplayable)
        /// The requested commits were dropped.
        package static let historyDropped = Kind(code: .historyDropped)
        /// A folder that must be empty is not.
        package static let notEmpty = Kind(code: .notEmpty)
        /// A file is valid, but contains no state of a store.
        package static let noBackup = Kind(code: .noBackup)
        /// A restore or repair was interrupted while it wrote the folder.
        package static let unfinished = Kind(code: .unfinished)
        /// The folder was moved, deleted or replaced while it was in use.
        package static let displaced = Kind(code: .displaced)
        /// A server has dropped a file while the folder was copied: survey it again.
        package static let changed = Kind(code: .changed)
    }

    package let kind: Kind
    /// What is wrong, in a sentence without a full stop.
    package let message: String
    /// The name of the file in the data folder.
    package private(set) var file: String?
    /// The line in that file, from 1.
    package private(set) var line: Int?
    /// The offset of that line.
    package private(set) var byte: Int?
    /// The sequence number of the affected commit.
    package private(set) var sequence: Int?
    package let nextStep: String
    package private(set) var cause: FileSystemError?

    init(
        _ kind: Kind, _ message: String, file: String? = nil, line: Int? = nil, byte: Int? = nil,
        sequence: Int? = nil, nextStep: String, cause: FileSystemError? = nil
    ) {
        (self.kind, self.message, self.nextStep) = (kind, message, nextStep)
        (self.file, self.line, self.byte, self.sequence, self.cause) = (file, line, byte, sequence, cause)
    }

    package var description: String {
        var places: [String] = []
        if let file { places.append(file) }
        if let line { places.append("line \(line)") }
        if let byte { places.append("byte \(byte)") }
        if let sequence { places.append("sequence \(sequence)") }
        let place = places.isEmpty ? "" : places.joined(separator: ", ") + ": "
        return "\(place)\(message). \(nextStep)"
    }
}
