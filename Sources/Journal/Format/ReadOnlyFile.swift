import Bytes

/// The file `read-only.json`, which a folder has while its store is read-only: no commit may be made.
///
/// ```
/// {"format":"sooke-read-only/1",
/// "state":{"since":"2026-11-25T09:30:00Z","reason":"moving to Postgres"},
/// "end":{"lines":2,"checksum":"0b6e7f10"}}
/// ```
///
/// The state is opaque to the journal, as commits are. A damaged file still makes the store read-only: another machine
/// may have taken over, and a write here would be lost.
struct ReadOnlyFile: Equatable, Sendable {
    static let kind: StaticString = "sooke-read-only"
    static let version = 1

    /// One line of JSON; empty when the file is damaged.
    var state: [UInt8]

    init(state: [UInt8]) {
        self.state = state
    }

    var bytes: [UInt8] {
        var writer = CheckedDocumentWriter(kind: Self.kind, version: Self.version)
        writer.append(line: Array("\"state\":".utf8) + state + [UInt8(ascii: ",")])
        writer.finish()
        return writer.takeBytes()
    }

    init(_ bytes: [UInt8]) throws(CheckedDocumentError) {
        let lines = try DocumentLines(bytes, kind: Self.kind, versions: Self.version...Self.version)
        state = lines.member("state") { Array($0.rest.dropLast()) } ?? []
        try lines.require(self.bytes)
    }

    /// nil when there is no file. A damaged one has no state, and a fault.
    static func read(_ folder: StoreFolder) throws(JournalError) -> (file: ReadOnlyFile, fault: String?)? {
        let (file, fault) = try folder.document(FileName.readOnly) { bytes throws(CheckedDocumentError) in
            try ReadOnlyFile(bytes)
        }
        return file == nil && fault == nil ? nil : (file ?? ReadOnlyFile(state: []), fault)
    }
}

extension Journal {
    /// On stable storage afterwards; nil for a store that is no longer read-only. The journal only stores it: its owner
    /// appends no commit meanwhile.
    ///
    /// - Parameter state: a JSON value in one line.
    /// - Throws: unless the error is fatal, nothing has changed.
    package func setReadOnly(_ state: [UInt8]?) throws(JournalError) {
        try requireInPlace()
        do throws(JournalError) {
            if let state {
                try folder.replace(FileName.readOnly, with: ReadOnlyFile(state: state).bytes)
            } else if try folder.list().contains(FileName.readOnly) {
                try folder.remove(FileName.readOnly)
                try folder.sync()
            }
        } catch {
            throw error.isFatal ? fail(error) : error
        }
        readOnlyState = state
    }
}
