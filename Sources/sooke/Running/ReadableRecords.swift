import JSON
import Bytes
import Journal
import Store

/// The records of a damaged snapshot that can be read: a document for `sooke import`, as it may be wrong in what no
/// checksum proves any more.
struct ReadableRecords {
    private let snapshot: DamagedSnapshot
    /// The records of each collection, as lines without a comma.
    private var collections: [(name: String, records: [[UInt8]])] = []
    private var omitted: [Int] = []

    private static let file = "readable.json"

    /// Reads all lines but those with the damage, and those that are no JSON.
    init(of snapshot: DamagedSnapshot, in survey: FolderSurvey) throws(JournalError) {
        self.snapshot = snapshot
        let starts = Dictionary(
            uniqueKeysWithValues: Town.kinds.map { (Array("\"\($0.collection)\":[".utf8), $0.collection) })
        var isInside = false
        var lines: [(Int, [UInt8])] = []
        try survey.forEachLine(of: snapshot) { lines.append(($0, Array($1))) }
        for (number, text) in lines {
            let line = text.last == UInt8(ascii: ",") ? text.dropLast() : text[...]
            if let name = starts[Array(line)] {
                collections.append((name, []))
                isInside = true
            } else if line.elementsEqual("]".utf8) {
                isInside = false
            } else if snapshot.lines.contains(number) || (isInside && !Self.isObject(line)) {
                omitted.append(number)
            } else if isInside {
                collections[collections.count - 1].records.append(Array(line))
            }
        }
    }

    private static func isObject(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.first == UInt8(ascii: "{") else { return false }
        var reader = JSONReader(Array(line))
        do {
            try reader.skipValue()
            try reader.finish()
            return true
        } catch {
            return false
        }
    }

    private var document: [UInt8] {
        var writer = CheckedDocumentWriter()
        for (name, records) in collections {
            writer.append(line: Array("\"\(name)\":[".utf8))
            for (index, record) in records.enumerated() {
                writer.append(line: index == records.count - 1 ? record : record + [UInt8(ascii: ",")])
            }
            writer.append(line: Array("],".utf8))
        }
        writer.finish()
        return writer.takeBytes()
    }

    /// Writes them into a new folder, or an empty one; returns what to do with them.
    func write(to folder: String) throws(CommandError) -> String {
        let path = "\(folder)/\(Self.file)"
        do throws(FileSystemError) {
            let files = POSIXFileSystem()
            if (try? files.openDirectory(folder)) == nil { try files.createDirectory(folder) }
            let directory = try files.openDirectory(folder)
            let file = try directory.create(Self.file)
            try file.append(document)
            try file.sync()
            try directory.sync()
        } catch {
            throw CommandError(.inputOutput, "\(error)")
        }
        let count = collections.reduce(0) { $0 + $1.records.count }
        let lines = omitted.map(String.init).joined(separator: ", ")
        let without = omitted.isEmpty ? "" : ", without line\(omitted.count == 1 ? "" : "s") \(lines)"
        return "Otherwise \(path) has the \(Count(count, "record")) of \(snapshot.name) that can be read\(without): "
            + "no checksum proves them, so look at them first; `sooke import --data NEWTOWN "
            + "\(ShellWord.quoted(path))` makes a new town of them, without passwords"
    }
}
