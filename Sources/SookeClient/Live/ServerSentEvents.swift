/// Parses a stream of server-sent events (HTML Living Standard, section 9.2.6), in parts of any size.
///
/// An event that is not complete at the end of the stream is never returned.
struct ServerSentEvents: Sendable {
    struct Event: Sendable, Hashable {
        /// The type, `message` if the stream names none.
        let type: String
        let data: [UInt8]
        /// The ID that the event itself carries.
        let id: String?
    }

    enum Item: Sendable, Hashable {
        case event(Event)
        /// An ID without data.
        case id(String)
        /// The milliseconds to wait before connecting again.
        case retry(Int)
    }

    /// An event, or a comment, has more bytes than the limit.
    struct TooLong: Error, Hashable {
        let limit: Int
    }

    /// The most bytes of an event.
    let limit: Int

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")

    private var line: [UInt8] = []
    private var type: [UInt8] = []
    /// The data of the current event, each line with a line feed.
    private var data: [UInt8] = []
    private var id: [UInt8]?
    private var isFirstLine = true
    /// Whether the last byte was a carriage return, which a line feed may follow.
    private var isAfterCarriageReturn = false
    private var failure: TooLong?

    init(limit: Int = 16 << 20) {
        self.limit = limit
    }

    /// Reads the next bytes of the stream and appends what ends in them.
    ///
    /// - Throws: `TooLong`, also from all later calls: the rest of the stream cannot be understood.
    mutating func read(_ bytes: [UInt8], into items: inout [Item]) throws(TooLong) {
        if let failure { throw failure }
        for byte in bytes {
            defer { isAfterCarriageReturn = byte == Self.carriageReturn }
            if byte == Self.lineFeed, isAfterCarriageReturn { continue }
            if byte == Self.lineFeed || byte == Self.carriageReturn {
                endLine(&items)
                continue
            }
            line.append(byte)
            if line.count + data.count + type.count + (id?.count ?? 0) > limit {
                let failure = TooLong(limit: limit)
                self.failure = failure
                throw failure
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
