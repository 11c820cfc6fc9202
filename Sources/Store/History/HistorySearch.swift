import Bytes
import JSON
import Journal
import SookeModel

struct HistorySearch {
    /// The record after the commits so far.
    private enum State {
        case unknown
        case absent
        case present(RecordImage)
    }

    private let kind: RecordKind
    private let id: Int
    private let limit: Int
    /// Bytes that occur in a commit only if it puts or deletes the record: quotes in texts are escaped.
    private let putMark: ByteSearch
    private let deleteMark: ByteSearch
    private let start: [UInt8]
    private var state: State

    /// The newest entries so far, the oldest first.
    private(set) var entries: [History.Entry] = []
    private(set) var hasOlder = false
    private(set) var first: Int?

    /// - Parameter isWhole: whether the log begins with the creation of the town.
    init(_ kind: RecordKind, id: Int, isWhole: Bool, limit: Int) {
        (self.kind, self.id, self.limit) = (kind, id, limit)
        start = Array("{\"id\":\(id),".utf8)
        putMark = ByteSearch(for: Array("{\"\(kind.name)\":{\"id\":\(id),".utf8))
        deleteMark = ByteSearch(for: Array("{\"deleted\":\"\(kind.name)\",\"id\":\(id)".utf8))
        state = isWhole ? .absent : .unknown
    }

    /// Nearly all commits are about other records, and are skipped by their bytes before any JSON is parsed.
    mutating func visit(_ commit: LoggedCommit) throws(StoredRecordError) {
        let payload = commit.payload.span
        guard putMark.firstMatch(in: payload) != nil || deleteMark.firstMatch(in: payload) != nil else { return }
        var (before, after): (State?, State) = (nil, state)
        let read = try Commit.read(commit.payload) { reader, _ in
            try reader.beginArray()
            while try reader.nextElement() { try readChange(from: &reader, &before, &after) }
        }
        state = before ?? state
        appendEntry(after) { action, isBeforeKnown, fields in
            History.Entry(
                position: commit.position, at: read.time.clock, by: read.by, action: action,
                isBeforeKnown: isBeforeKnown, fields: fields)
        }
        if first == nil, !isUnknown { first = commit.sequence }
    }

    private var isUnknown: Bool { if case .unknown = state { true } else { false } }

    /// - Parameters:
    ///   - before: the record before the commit; nil until it is known.
    ///   - after: the record after the changes so far.
    private func readChange(
        from reader: inout JSONReader, _ before: inout State?, _ after: inout State
    ) throws {
        var change: State?
        var was: RecordImage?
        try reader.beginObject()
        while let name = try reader.nextKey() {
            switch name {
            case kind.name:
                let record = try reader.readRaw()
                if record.starts(with: start) { change = .present(try RecordImage(record)) }
            case "deleted":
                let deleted = try reader.readString()
                guard try reader.nextKey() == "id" else { throw reader.error("a deletion names no record") }
                if try reader.readInt() == id, deleted == kind.name { change = .absent }
            case "was" where change != nil: was = try RecordImage(try reader.readRaw(), keepingNulls: true)
            default: try reader.skipValue()
            }
        }
        guard let change else { return }
        after = change
        if before == nil { before = Self.state(before: change, was) }
    }

    private static func state(before change: State, _ was: RecordImage?) -> State {
        guard let was else { return .absent }
        let image = if case .present(let after) = change { after } else { RecordImage() }
        return .present(image.replacing(was))
    }

    private mutating func appendEntry(
        _ after: State, _ makeEntry: (History.Action, _ isBeforeKnown: Bool, [History.Field]) -> History.Entry
    ) {
        let before = state
        state = after
        let none = RecordImage()
        let entry: History.Entry
        switch (before, after) {
        case (.unknown, .present(let image)): entry = makeEntry(.updated, false, image.changes(from: none))
        case (.unknown, .absent): entry = makeEntry(.deleted, false, [])
        case (.absent, .present(let image)): entry = makeEntry(.created, true, image.changes(from: none))
        case (.present(let old), .present(let image)):
            let fields = image.changes(from: old)
            guard !fields.isEmpty else { return }
            entry = makeEntry(.updated, true, fields)
        case (.present(let old), .absent): entry = makeEntry(.deleted, true, none.changes(from: old))
        case (.absent, .absent), (_, .unknown): return
        }
        entries.append(entry)
        guard entries.count > limit else { return }
        entries.removeFirst()
        hasOlder = true
    }
}

struct RecordImage {
    /// The names of the fields that have a value, in order, without the ID.
    private var names: [String] = []
    private var values: [String: [UInt8]] = [:]

    init() {}

    init(_ record: (any StoredRecord)?) throws(JSONError) {
        try self.init(record?.written ?? Array("{}".utf8))
    }

    /// - Parameter keepingNulls: whether to include fields without a value, which in `was` are fields without a value
    ///   before.
    init(_ record: [UInt8], keepingNulls: Bool = false) throws(JSONError) {
        var reader = JSONReader(record, limits: .trusted)
        try reader.beginObject()
        while let name = try reader.nextKey() {
            let value = try reader.readRaw()
            let isField = name != "id" && !RecordTimes.names.contains(where: name.hasSameBytes)
            guard isField, keepingNulls || value != Self.null else { continue }
            names.append(name)
            values[name] = value
        }
    }

    func replacing(_ others: RecordImage) -> RecordImage {
        var image = self
        for name in others.names {
            let value = others.values[name]
            if values[name] == nil { image.names.append(name) }
            image.values[name] = value == Self.null ? nil : value
        }
        return image
    }

    private static let null = [UInt8]("null")

    func changes(from before: RecordImage) -> [History.Field] {
        let gone = before.names.filter { values[$0] == nil }
        return (names + gone).filter { values[$0] != before.values[$0] }.map { name in
            History.Field(name: name, before: before.values[name], after: values[name])
        }
    }
}
