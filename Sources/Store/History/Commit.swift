import Bytes
import JSON
import Journal
import SookeModel

/// A line of the log: the changes, their author and time.
package struct Commit: Sendable {
    package let time: CommitTime
    package let by: Author
    package let changes: [RecordChange]
    /// The highest IDs ever given elsewhere, where the records are from; most commits have none.
    package internal(set) var highestIDs = IDSequences()
    package internal(set) var act: CommitAct?

    /// `"at":…,"by":…,"changes":[…]`, with `"wall":…` after `at` where the clock was behind, `"act":{…}` after `by` if
    /// there is one, and `"id_sequences":{…}` at the end for IDs given elsewhere. The sequence number is the journal's.
    func appendPayload(to line: inout [UInt8]) {
        line.append { writer in
            writer.member("at", time.at)
            if let wall = time.wall { writer.member("wall", wall) }
            writer.member("by", by.text)
            if let act {
                writer.key("act")
                act.write(to: &writer)
            }
            writer.key("changes")
            writer.beginArray()
            for change in changes { change.write(to: &writer) }
            writer.endArray()
            if highestIDs != IDSequences() {
                writer.key("id_sequences")
                highestIDs.write(to: &writer)
            }
        }
    }

    /// Reads it as a start does: a value that could be written but not read would keep the town from starting. An
    /// import of a whole town is read record by record, so that it takes no further memory.
    func requireReadable(_ payload: ArraySlice<UInt8>) throws(StoredRecordError) {
        if payload.count <= Self.readAsWhole, (try? Self.read(payload) { (_: Change, _) in }) != nil { return }
        for change in changes {
            guard let after = change.after else { continue }
            do throws(StoredRecordError) {
                var reader = JSONReader(after.value.written, limits: .trusted)
                _ = try AnyRecord(change.kind, from: &reader)
            } catch {
                throw StoredRecordError("\(change.kind.name) \(change.id): \(error)")
            }
        }
        if payload.count <= Self.readAsWhole { try Self.read(payload) { (_: Change, _) in } }
    }

    /// In bytes; the first answer of a large calendar has fewer.
    private static let readAsWhole = 4 << 20

    /// In RFC 3339; a payload begins with it.
    static func timeText(of payload: ArraySlice<UInt8>) -> String {
        String(
            decoding: payload.drop { $0 != UInt8(ascii: ":") }.dropFirst(2).prefix { $0 != UInt8(ascii: "\"") },
            as: UTF8.self)
    }

    static func time(of payload: ArraySlice<UInt8>) throws(StoredRecordError) -> CommitTime {
        try read(payload) { reader, _ in try reader.skipValue() }.time
    }

    /// Reads a payload, and its changes in order, each with the time of the commit. The result has none.
    @discardableResult
    static func read(
        _ payload: ArraySlice<UInt8>, _ apply: (Change, CommitTime) throws -> Void
    ) throws(StoredRecordError) -> Commit {
        try read(payload) { reader, time in
            guard let time else { throw reader.error("a commit whose time follows its changes") }
            try reader.beginArray()
            while try reader.nextElement() {
                if let change = try Change.read(from: &reader, was: { try $1.skipValue() }) { try apply(change, time) }
            }
        }
    }

    static func read(
        _ payload: ArraySlice<UInt8>, changes: (inout JSONReader, CommitTime?) throws -> Void
    ) throws(StoredRecordError) -> Commit {
        try read(object: object(of: payload), changes: changes)
    }

    static func object(of payload: ArraySlice<UInt8>) -> [UInt8] {
        [UInt8(ascii: "{")] + payload + [UInt8(ascii: "}")]
    }

    /// The object may have other members than those of a payload.
    static func read(
        object: [UInt8], changes: (inout JSONReader, CommitTime?) throws -> Void
    ) throws(StoredRecordError) -> Commit {
        do {
            var reader = JSONReader(object, limits: .trusted)
            var (at, wall) = (Timestamp?.none, Timestamp?.none)
            var (by, act, highestIDs) = (Author.other(""), CommitAct?.none, IDSequences())
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case "at": at = Timestamp(rfc3339: try reader.readString())
                case "wall": wall = Timestamp(rfc3339: try reader.readString())
                case "by": by = Author(text: try reader.readString())
                case "act": act = try CommitAct(from: &reader)
                // The first is that of format 3, which a copied log may have too.
                case "numbers", "id_sequences": highestIDs = try IDSequences(from: &reader)
                case "changes": try changes(&reader, at.map { CommitTime(at: $0, wall: wall) })
                default: try reader.skipValue()
                }
            }
            try reader.finish()
            guard let at else { throw reader.error("a commit without its time") }
            let time = CommitTime(at: at, wall: wall)
            return Commit(time: time, by: by, changes: [], highestIDs: highestIDs, act: act)
        } catch {
            throw StoredRecordError(error)
        }
    }
}

/// The effect of a commit on one record. Both records are references to those of the versions, not copies.
package struct RecordChange: Sendable {
    package let kind: RecordKind
    package let id: Int
    package let before: (any TableRecord)?
    package let after: (any TableRecord)?

    /// The members that differ, as the log has them; nil when they have not been computed yet.
    var was: [UInt8]?

    package var isPublic: Bool { before?.isPublic == true || after?.isPublic == true }

    func of<Record: TableRecord>(_ type: Record.Type) -> (before: Record?, after: Record?)? {
        kind == Record.Value.kind ? (before as? Record, after as? Record) : nil
    }

    var change: Change { after.map { .put(AnyRecord($0.value)) } ?? .delete(kind, id: id) }

    /// The slug that the record lost; others may refer to it.
    var lostSlug: Slug? {
        before?.value.ownSlug.flatMap { $0 == after?.value.ownSlug ? nil : $0 }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let after {
            writer.key(kind.name)
            // One that was deleted, and is there again.
            if before == nil, after.times.created != after.times.updated {
                writer.raw(Self.written(after))
            } else {
                after.value.write(to: &writer)
            }
        } else {
            writer.member("deleted", kind.name)
            writer.member("id", id)
        }
        // The log must not store a deleted secret again.
        if let before, kind.isShared {
            writer.key("was")
            writer.raw(was ?? after.map { before.value.writtenDifference(fromAny: $0.value) } ?? Self.written(before))
        }
        writer.endObject()
    }

    /// With the time when it was created, which the log does not repeat.
    private static func written(_ record: any TableRecord) -> [UInt8] {
        var object = record.value.written
        var times = record.times
        times.updated = nil
        times.append(to: &object)
        return object
    }
}

/// The effect of a commit on one record as an after-image, so that applying it twice has the same effect as once.
package enum Change: Sendable, Equatable {
    case put(AnyRecord)
    case delete(RecordKind, id: Int)

    /// Reads a change that the store has written: `{"business":{…}}` for a new record, `{"business":{…},"was":{…}}` for
    /// an update, `{"deleted":"business","id":3,"was":{…}}`.
    ///
    /// - Parameters:
    ///   - kinds: a change of another kind is skipped and nil.
    static func read(
        from reader: inout JSONReader, of kinds: Set<RecordKind>? = nil,
        was: (Change, inout JSONReader) throws -> Void
    ) throws -> Change? {
        try reader.beginObject()
        let name = try reader.nextKey()
        var change: Change?
        if let kind = name.flatMap(Town.kind(named:)) {
            if kinds?.contains(kind) == false {
                try reader.skipValue()
            } else {
                change = .put(try AnyRecord(kind, from: &reader))
            }
        } else {
            guard name == "deleted", let kind = Town.kind(named: try reader.readString()), try reader.nextKey() == "id"
            else { throw reader.error("a change names no known kind of record") }
            let id = try reader.readInt()
            if kinds?.contains(kind) != false { change = .delete(kind, id: id) }
        }
        guard let more = try reader.nextKey() else { return change }
        guard more == "was" else { throw reader.error("a change has a member too many") }
        if let change { try was(change, &reader) } else { try reader.skipValue() }
        guard try reader.nextKey() == nil else { throw reader.error("a change has a member too many") }
        return change
    }
}

package enum Author: Sendable, Equatable {
    case local
    case person(Int)
    /// An author of a kind that another version of this program wrote to the log.
    case other(String)

    var text: String {
        switch self {
        case .local: "local"
        case .person(let id): "person:\(id)"
        case .other(let text): text
        }
    }

    init(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if text == "local" {
            self = .local
        } else if parts.count == 2, parts[0] == "person", let id = Int(parts[1]), parts[1] == "\(id)" {
            self = .person(id)
        } else {
            self = .other(text)
        }
    }
}

package struct CommitTime: Sendable, Hashable {
    /// The time in the order of commits: never before that of an earlier one.
    package let at: Timestamp
    /// What the clock of the machine said, where that was earlier: it was set back, or had been ahead before.
    package let wall: Timestamp?

    package init(at: Timestamp, wall: Timestamp? = nil) {
        (self.at, self.wall) = (at, wall)
    }

    init(_ now: Timestamp, after earlier: CommitTime) {
        self.init(at: max(now, earlier.at), wall: now < earlier.at ? now : nil)
    }

    /// What the clock of the machine said, which may be wrong: for display, and for what expires.
    package var clock: Timestamp { wall ?? at }
}

package struct AnyRecord: Sendable, Equatable {
    package let value: any StoredRecord

    package init(_ value: any StoredRecord) {
        self.value = value
    }

    package init(_ kind: RecordKind, from reader: inout JSONReader) throws(StoredRecordError) {
        self = try Town.Tables.table(of: kind).read(&reader)
    }

    package var kind: RecordKind { type(of: value).kind }
    package var id: Int { value.id }

    package static func == (left: AnyRecord, right: AnyRecord) -> Bool {
        left.kind == right.kind && left.value.written == right.value.written
    }
}
