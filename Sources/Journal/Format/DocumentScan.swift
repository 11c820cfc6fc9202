/// Reads a `CheckedDocument` from a file, in pieces.
struct DocumentScan: Equatable {
    /// A document without damage.
    struct Sound: Equatable {
        var origin: CheckedDocument.Origin?
        /// Lines before the last one.
        var lines = 0
        /// Bytes in all.
        var length = 0
        /// The checksum in the last line.
        var checksum: UInt32 = 0
    }

    enum Outcome: Equatable {
        case sound(Sound)
        /// The fault, and the offset of its line.
        case faulty(CheckedDocumentError, byte: Int)
        /// Without damage, but written by a later version of the program.
        case newer(version: Int)
    }

    /// Reads the whole document.
    ///
    /// - Parameter acceptsNewer: see `CheckedDocumentReader`.
    /// - Parameter item: receives the first line and the lines of the body; none of them is verified unless the outcome
    ///   is `sound`.
    static func scan(
        _ file: FolderFile, kind: StaticString = "sooke", version: Int = CheckedDocument.version,
        acceptsNewer: Bool = false, item: (CheckedDocumentReader.Item, LineReader.Line) -> Void
    ) throws(JournalError) -> Outcome {
        var reader = CheckedDocumentReader(kind: kind, version: version, acceptsNewer: acceptsNewer)
        var lines = LineReader(file)
        var sound = Sound()
        var fault: CheckedDocumentError?
        while fault == nil, let line = try lines.next() {
            do throws(CheckedDocumentError) {
                let read = try reader.read(line.bytes, isEnded: line.isEnded)
                sound.length = line.end
                if case .start(let origin) = read { sound.origin = origin }
                item(read, line)
            } catch {
                fault = error
            }
        }
        do throws(CheckedDocumentError) {
            if fault == nil { try reader.finish() }
        } catch {
            fault = error
        }
        guard let fault else {
            sound.lines = reader.lines - 1
            sound.checksum = reader.checksum
            return .sound(sound)
        }
        // A damaged digit looks like a later version too; then the rest of the document contradicts it.
        if case .version(let found) = fault.code, found > version,
            case .sound = try scan(file, kind: kind, version: version, acceptsNewer: true, item: { _, _ in })
        {
            return .newer(version: found)
        }
        return .faulty(fault, byte: sound.length)
    }

    /// Reads the whole document, and passes what it contains to a replayer.
    ///
    /// - Returns: what was found, and the first line that the replayer refused, if any. What it has was not verified
    ///   unless the outcome is `sound`.
    static func scan(
        _ file: FolderFile, into replayer: inout some Replayer
    ) throws(JournalError) -> (outcome: Outcome, refusal: (line: Int, error: any Error)?) {
        var refusal: (line: Int, error: any Error)?
        let outcome = try scan(file) { item, line in
            guard refusal == nil else { return }
            do {
                switch item {
                case .start(let origin): replayer.begin(origin)
                case .line(let text): try replayer.snapshotLine(text)
                case .end: try replayer.endSnapshot()
                }
            } catch {
                refusal = (line.number, error)
            }
        }
        return (outcome, refusal)
    }
}
