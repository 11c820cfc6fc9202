import Bytes
import JSON

/// What a client has built from the feed, by the rules of server-sent events and of polls.
///
/// A commit is applied whole: changes wait until a position follows them.
struct FeedReplica {
    /// A record, by kind and ID.
    struct Key: Hashable, Comparable {
        let kind: String
        let id: Int

        static func < (left: Key, right: Key) -> Bool { (left.kind, left.id) < (right.kind, right.id) }
    }

    /// A change in a response.
    struct Change {
        var kind = ""
        var action = ""
        var id = 0
        var slug: String?
        var formerSlug: String?
        var record: String?
    }

    /// The records in JSON.
    private(set) var records: [Key: String] = [:]
    /// The position to continue from; nil without one.
    private(set) var position: String?
    /// Whether the town never gave the position.
    private(set) var isGarbled = false
    /// Why the client cannot be right; empty while it can.
    private(set) var problems: [String] = []
    /// Whether the last stream ended with `revoked`.
    private(set) var isRevoked = false
    private(set) var resets = 0
    private(set) var bookmarks = 0
    /// The changes that it received.
    private(set) var changeCount = 0

    private var changes: [Change] = []
    /// Whether the stream must start over, because of the position that it continues from.
    private var mustReset = false
    /// The bytes of an event that is not complete.
    private var rest: [UInt8] = []

    /// The stream is gone: what was not applied is forgotten.
    mutating func disconnect() {
        (changes, rest, isRevoked, mustReset) = ([], [], false, false)
    }

    /// The next stream must begin with `reset`, unless it is revoked.
    mutating func expectReset() { mustReset = true }

    /// Replaces the position by one that the town never gave.
    mutating func garble(_ position: String) { (self.position, isGarbled) = (position, true) }

    /// Reads bytes of a stream.
    mutating func receive(_ bytes: some Sequence<UInt8>) throws {
        rest += bytes
        var start = 0
        for end in rest.indices.dropLast() where rest[end] == 10 && rest[end + 1] == 10 {
            try dispatch(String(decoding: rest[start..<end], as: UTF8.self))
            start = end + 2
        }
        rest.removeFirst(start)
    }

    private mutating func dispatch(_ block: String) throws {
        var (event, id, data): (String?, String?, String?) = (nil, nil, nil)
        for line in block.split(separator: "\n") {
            if line.hasPrefix("event: ") { event = String(line.dropFirst(7)) }
            if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
            if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
        }
        if mustReset {
            mustReset = false
            if event != "reset", event != "revoked" { problems.append("\(block) after a position of no use") }
        }
        switch event {
        case "reset": empty()
        case "revoked": isRevoked = true
        case let kind?:
            var reader = JSONReader(Array((data ?? "").utf8))
            let change = try Change(from: &reader)
            if change.kind != kind { problems.append("an event \(kind) with the data \(data ?? "")") }
            changes.append(change)
        case nil:
            bookmarks += 1
            if data != nil || id == nil { problems.append("an event without a name: \(block)") }
        }
        guard let id else { return }
        apply()
        position = id
    }

    /// Reads the response to a poll.
    ///
    /// - Returns: whether more follows.
    mutating func receive(page: [UInt8]) throws -> Bool {
        var hasMore = false
        var reader = JSONReader(page)
        try reader.beginObject()
        while let name = try reader.nextKey() {
            switch name {
            case "reset": if try reader.readBool() { empty() }
            case "changes":
                try reader.beginArray()
                while try reader.nextElement() { changes.append(try Change(from: &reader)) }
            case "position":
                apply()
                position = try reader.readString()
            case "more": hasMore = try reader.readBool()
            default: problems.append("a member \(name)")
            }
        }
        try reader.finish()
        return hasMore
    }

    private mutating func empty() {
        (records, changes, position, isGarbled) = ([:], [], nil, false)
        resets += 1
    }

    private mutating func apply() {
        changeCount += changes.count
        for change in changes {
            let key = Key(kind: change.kind, id: change.id)
            let isKnown = records[key] != nil
            if (change.action == "created") == isKnown || (change.action == "deleted") != (change.record == nil) {
                problems.append("\(change) for a record that is \(isKnown ? "known" : "unknown")")
            }
            records[key] = change.record
        }
        changes = []
    }
}

extension FeedReplica.Change {
    init(from reader: inout JSONReader) throws {
        self.init()
        try reader.beginObject()
        while let name = try reader.nextKey() {
            switch name {
            case "kind": kind = try reader.readString()
            case "action": action = try reader.readString()
            case "id": id = try reader.readInt()
            case "slug": slug = try reader.readString()
            case "former_slug": formerSlug = try reader.readString()
            case "record": record = String(decoding: try reader.readRaw(), as: UTF8.self)
            default: throw reader.error("a member too many")
            }
        }
    }
}
