import Bytes
import JSON
import Journal
import SookeModel

/// The body of a snapshot, a seed file and an export: one record per line, by kind and ID. A snapshot has its
/// businesses in the order of lists, so that after a start the records of a list are close to each other in memory.
///
/// The same town gives the same bytes.
extension Town {
    /// Lines have no line feeds; the last one ends in a comma.
    ///
    /// - Parameters:
    ///   - isWhole: whether to include all that the store needs, as in a snapshot: the highest IDs and the private
    ///     records.
    ///   - format: that of an earlier version for a town that it has written, and that has not changed since.
    func forEachLine<Failure: Error>(
        whole isWhole: Bool, format: Int = CheckedDocument.version, _ line: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        if isWhole { try line(sequences.line(format)) }
        for table in Tables.all where isWhole || !table.isPrivate {
            let last = table.count(self) - 1
            // Most towns have few secrets or none.
            guard !table.kind.isOptional || last >= 0 else { continue }
            try line(Array("\"\(table.kind.collection)\":[".utf8))
            let isEarlier = format < 4 && table.kind == .event
            for (index, var record) in (isEarlier ? eventsInFormat3(isWhole) : table.lines(self, isWhole)).enumerated()
            {
                if index < last { record.append(UInt8(ascii: ",")) }
                try line(record)
            }
            try line([UInt8]("],"))
        }
    }
}

extension Town {
    /// Their times on the clocks are not known yet.
    private func eventsInFormat3(_ isWhole: Bool) -> AnySequence<[UInt8]> {
        AnySequence(
            self.events.inOrderOfID.lazy.map { event in
                var line = event.value.writtenInFormat3
                if isWhole { event.value.times.append(to: &line) }
                return line
            })
    }
}

extension IDSequences {
    /// `"id_sequences":{"category":8,…},`; see `Sequence.isOptional`. Format 3 has another name.
    fileprivate func line(_ format: Int) -> [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return [UInt8](format < 4 ? "\"numbers\":" : "\"id_sequences\":") + writer.bytes + [UInt8](",")
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for sequence in Sequence.all where !sequence.isOptional || self[sequence] > 0 {
            writer.key(sequence.name)
            writer.int(self[sequence])
        }
        writer.endObject()
    }

    init(from reader: inout JSONReader) throws(JSONError) {
        self.init()
        try reader.beginObject()
        while let name = try reader.nextKey() {
            guard let sequence = Sequence.all.first(where: { $0.name.hasSameBytes(as: name) }) else {
                throw reader.error("an unknown sequence of IDs")
            }
            let number = try reader.readInt()
            guard 0...IDRules.range.upperBound ~= number else {
                throw reader.error("a number must lie between 0 and \(IDRules.range.upperBound)")
            }
            self[sequence] = number
        }
    }

    fileprivate init(line object: some Swift.Sequence<UInt8>) throws(StoredRecordError) {
        do {
            var reader = JSONReader(Array(object), limits: .trusted)
            try self.init(from: &reader)
            try reader.finish()
        } catch {
            throw StoredRecordError(error)
        }
    }
}

struct TownReader {
    private var town = Town()
    private var section: RecordKind?

    init() { town.isLoading = true }

    mutating func read(_ line: ArraySlice<UInt8>) throws(StoredRecordError) {
        if section != nil, line.first == UInt8(ascii: "]") {
            section = nil
        } else if let kind = section {
            try readRecord(kind, line)
        } else if let rest = line.dropping(prefix: "\"id_sequences\":") ?? line.dropping(prefix: "\"numbers\":") {
            town.sequences = try IDSequences(line: rest.droppingComma)
        } else if let kind = Town.kinds.first(where: { line.elementsEqual("\"\($0.collection)\":[".utf8) }) {
            section = kind
        } else {
            throw StoredRecordError("a line that opens no collection of records")
        }
    }

    private mutating func readRecord(_ kind: RecordKind, _ line: ArraySlice<UInt8>) throws(StoredRecordError) {
        do {
            var reader = JSONReader(Array(line.droppingComma), limits: .trusted)
            try town.apply(.put(AnyRecord(kind, from: &reader)), at: nil)
            try reader.finish()
        } catch {
            throw StoredRecordError(error)
        }
    }

    mutating func finish() throws(StoredRecordError) -> Town {
        if let section { throw StoredRecordError("the \(section.collection) have no end") }
        town.isLoading = false
        return town
    }
}

extension ArraySlice<UInt8> {
    fileprivate func dropping(prefix: StaticString) -> ArraySlice<UInt8>? {
        let prefix = [UInt8](prefix)
        return starts(with: prefix) ? self[(startIndex + prefix.count)...] : nil
    }

    fileprivate var droppingComma: ArraySlice<UInt8> {
        last == UInt8(ascii: ",") ? dropLast() : self[...]
    }
}

extension Town {
    /// Writes the document that a backup, an export and a seed file consist of, in pieces.
    ///
    /// - Parameter origin: the origin of a backup, which then also has the highest IDs and the private records, and is
    ///   a snapshot; nil for an export.
    package func writeDocument<Failure: Error>(
        origin: CheckedDocument.Origin? = nil, pieceSize: Int = 1 << 16, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var document = CheckedDocumentWriter(origin: origin)
        try forEachLine(whole: origin != nil) { line throws(Failure) in
            document.append(line: line)
            if document.bytes.count >= pieceSize { try output(document.takeBytes()) }
        }
        document.finish()
        try output(document.takeBytes())
    }

    /// Whether the last line of what `writeDocument` wrote matches the lines before it.
    package static func isWholeDocument(_ bytes: [UInt8]) -> Bool {
        // An export has no origin: `try?` alone would not tell it from an error.
        do {
            _ = try CheckedDocument.read(bytes) { _ in }
            return true
        } catch {
            return false
        }
    }
}

extension Store {
    /// The same bytes as the snapshot of the version.
    package nonisolated func writeBackup<Failure: Error>(
        of version: Version, to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let origin = CheckedDocument.Origin(
            store: identity, position: version.position, at: version.time.at, wall: version.time.wall)
        try version.town.writeDocument(origin: origin, to: output)
    }
}
