/// Parses a stream of server-sent events (HTML Living Standard, section 9.2.6), in parts of any size.
///
/// ```swift
/// var parser = ServerSentEvents()
/// var items: [ServerSentEvents.Item] = []
/// try parser.read(part, into: &items)
/// ```
///
/// An event that is not complete at the end of the stream is never returned.
public struct ServerSentEvents: Sendable {
    /// An event with data.
    public struct Event: Sendable, Hashable {
        /// The type, `message` if the stream names none.
        public let type: String
        /// The lines of data, separated by line feeds.
        public let data: [UInt8]
        /// The ID that the event itself carries; nil for none.
        public let id: String?

        /// An event.
        public init(type: String = "message", data: [UInt8], id: String? = nil) {
            (self.type, self.data, self.id) = (type, data, id)
        }
    }

    /// What a stream contains.
    public enum Item: Sendable, Hashable {
        case event(Event)
        /// An ID without data.
        case id(String)
        /// The milliseconds to wait before connecting again.
        case retry(Int)
    }

    /// An event, or a comment, has more bytes than the limit.
    public struct TooLong: Error, Hashable {
        /// The limit in bytes.
        public let limit: Int
    }

    /// The most bytes of an event.
    public let limit: Int

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")

    /// The part of the current line that has been read.
    private var line: [UInt8] = []
    private var type: [UInt8] = []
    /// The data of the current event, each line with a line feed.
    private var data: [UInt8] = []
    private var id: [UInt8]?
    private var isFirstLine = true
    /// Whether the last byte was a carriage return, which a line feed may follow.
    private var isAfterCarriageReturn = false
    private var failure: TooLong?

    /// A parser at the start of a stream.
    public init(limit: Int = 16 << 20) {
        self.limit = limit
    }

    /// Reads the next bytes of the stream and appends what ends in them.
    ///
    /// - Throws: `TooLong`, also from all later calls: the rest of the stream cannot be understood.
    public mutating func read(_ bytes: [UInt8], into items: inout [Item]) throws(TooLong) {
        if let failure { throw failure }
        var start = 0
        if isAfterCarriageReturn, let first = bytes.first {
            isAfterCarriageReturn = false
            if first == Self.lineFeed { start = 1 }
        }
        while start < bytes.count {
            let end =
                bytes[start...].firstIndex { $0 == Self.lineFeed || $0 == Self.carriageReturn } ?? bytes.count
            line += bytes[start..<end]
            if line.count + data.count + type.count + (id?.count ?? 0) > limit {
                let failure = TooLong(limit: limit)
                self.failure = failure
                throw failure
            }
            guard end < bytes.count else { return }
            endLine(&items)
            start = end + 1
            if bytes[end] == Self.carriageReturn {
                if start == bytes.count {
                    isAfterCarriageReturn = true
                } else if bytes[start] == Self.lineFeed {
                    start += 1
                }
            }
        }
    }

    private mutating func endLine(_ items: inout [Item]) {
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
        }
        if line.isEmpty {
            dispatch(&items)
        } else {
            readField(&items)
            line.removeAll(keepingCapacity: true)
        }
    }

    private mutating func readField(_ items: inout [Item]) {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "data": data += value + [Self.lineFeed]
        case "event": type = Array(value)
        case "id" where !value.contains(0): id = Array(value)
        case "retry" where !value.isEmpty && value.allSatisfy { 0x30...0x39 ~= $0 }:
            if let milliseconds = Int(String(decoding: value, as: UTF8.self)) { items.append(.retry(milliseconds)) }
        default: break
        }
    }

    private mutating func dispatch(_ items: inout [Item]) {
        let id = id.map { String(decoding: $0, as: UTF8.self) }
        if !data.isEmpty {
            let type = type.isEmpty ? "message" : String(decoding: type, as: UTF8.self)
            items.append(.event(Event(type: type, data: data.dropLast(), id: id)))
        } else if let id {
            items.append(.id(id))
        }
        (type, data, self.id) = ([], [], nil)
    }
}
