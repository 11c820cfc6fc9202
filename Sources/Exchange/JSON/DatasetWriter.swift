import Bytes
import JSON
import SookeModel

/// Lays a dataset out in its canonical form, a record a line, with a last line that proves the others:
///
/// ```
/// {"format":"sooke/1",
/// "categories":[
/// {"id":1,"name":"Cafés","slug":"cafés"}
/// ],
/// …
/// "end":{"lines":77,"checksum":"1f0a77b2"}}
/// ```
struct DatasetWriter {
    /// What was written and not taken yet.
    private(set) var bytes = [UInt8]()
    private var taken = DocumentEnd.Counter()
    private var isFirst = true

    init() {
        bytes.append("{\"format\":\"")
        bytes.append(utf8: DatasetReader.format)
        bytes.append("\",\n")
    }

    mutating func beginCollection(_ kind: RecordKind) {
        isFirst = true
        bytes.append(json: kind.collection)
        bytes.append(":[\n")
    }

    mutating func write(_ record: some Record) {
        if !isFirst { bytes.append(",\n") }
        isFirst = false
        var writer = JSONWriter(reservingCapacity: 1024)
        record.write(to: &writer)
        bytes.append(contentsOf: writer.bytes)
    }

    mutating func endCollection() {
        bytes.append(isFirst ? "],\n" : "\n],\n")
    }

    /// Writes the last line.
    mutating func finish() {
        var counter = taken
        counter.update(bytes[...])
        bytes.append(contentsOf: counter.end.line)
    }

    /// Hands over what was written since the last time.
    mutating func takeBytes() -> [UInt8] {
        taken.update(bytes[...])
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
