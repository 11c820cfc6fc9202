import Bytes

/// The first line of a segment: which store it belongs to and where in the log it stands.
///
/// `5d0f3c21 {"format":"sooke-log/1","store":"8c…","first":1201,"previous":"9a3e01c7"}`
struct SegmentHeader: Equatable {
    /// The version of the format that this program writes.
    static let version = 1

    /// The identity of the store.
    var store: String
    /// The sequence number of the first commit in the segment.
    var first: Int
    /// The checksum of the last line of the segment before it, 0 when there is none.
    var previous: UInt32

    /// Why a first line is not accepted.
    enum Fault: Error, Equatable {
        case line(LogLine.Fault)
        case version(Int)
    }

    init(store: String, first: Int, previous: UInt32) {
        (self.store, self.first, self.previous) = (store, first, previous)
    }

    /// Reads the first line of a segment, without its line feed; also gives its checksum.
    static func read(_ line: ArraySlice<UInt8>) throws(Fault) -> (header: SegmentHeader, checksum: UInt32) {
        let opened: (checksum: UInt32, json: ArraySlice<UInt8>)
        do {
            opened = try LogLine.open(line, continuing: 0)
        } catch {
            throw .line(error)
        }
        var cursor = TextCursor(opened.json)
        guard cursor.take("{\"format\":\"sooke-log/"), let version = cursor.decimal() else { throw .line(.malformed) }
        // Later versions keep the frame of the first line, so that this can be told apart from damage. An older
        // version would be read here by its own rules; there is none yet.
        guard version == Self.version else { throw .version(version) }
        guard cursor.take("\",\"store\":\""), let store = cursor.identity(),
            cursor.take("\",\"first\":"), let first = cursor.decimal(), first > 0,
            cursor.take(",\"previous\":\""), let previous = cursor.checksum(),
            cursor.take("\"}"), cursor.rest.droppingTrailingSpaces().isEmpty
        else { throw .line(.malformed) }
        return (SegmentHeader(store: store, first: first, previous: previous), opened.checksum)
    }

    /// The line, filled up to whole sectors, and its checksum.
    func line(sectorBytes: Int) -> (bytes: [UInt8], checksum: UInt32) {
        var bytes: [UInt8] = []
        let checksum = bytes.appendLogLine(continuing: 0) { text in
            text.append("{\"format\":\"sooke-log/")
            text.append(decimal: Self.version)
            text.append("\",\"store\":\"")
            text.append(utf8: store)
            text.append("\",\"first\":")
            text.append(decimal: first)
            text.append(",\"previous\":\"")
            text.append(hex: previous)
            text.append("\"}")
        }
        let padded = bytes.padLastLine(
            from: 0, checksum: checksum, with: bytes.count.distance(toMultipleOf: sectorBytes))
        return (bytes, padded)
    }
}

extension Int {
    /// How much is missing to the next multiple; 0 when this is one.
    func distance(toMultipleOf unit: Int) -> Int {
        let rest = self % unit
        return rest == 0 ? 0 : unit - rest
    }
}
