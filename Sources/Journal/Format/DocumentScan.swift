/// Reads a `CheckedDocument` from a file, in pieces.
struct DocumentScan: Equatable {
    /// Without damage.
    struct Sound: Equatable {
        var origin: CheckedDocument.Origin?
        /// Before the last one.
        var lines = 0
        var length = 0
        /// In the last line.
        var checksum: UInt32 = 0
    }

    enum Outcome: Equatable {
        case sound(Sound)
        /// With the offset of the line.
        case faulty(CheckedDocumentError, byte: Int)
        /// Without damage.
        case newer(version: Int)
    }

    /// `item` receives the lines before they are verified: none of them counts unless the outcome is `sound`.
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

    /// Also returns the first line that the replayer refused. What it has was not verified unless the outcome is
    /// `sound`.
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
