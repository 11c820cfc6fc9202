import Bytes

/// Parses server-sent events (HTML Living Standard, section 9.2.6) in pieces of any size.
///
/// Only what the server sends is supported: lines end with a line feed, and an event has at most one line of data.
struct EventStreamReader {
    /// An event, or an ID alone.
    struct Event: Equatable {
        /// Its type; empty when the server states none.
        var type = ""
        /// Its ID; nil when the server states none.
        var id: String?
        /// Its data; empty for an ID alone.
        var data: [UInt8] = []
    }

    private var line: [UInt8] = []
    private var event = Event()

    /// The events that end in the next bytes of the stream.
    mutating func read(_ bytes: [UInt8]) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            guard byte == ASCII.lineFeed else {
                line.append(byte)
                continue
            }
            if line.isEmpty {
                if event != Event() { events.append(event) }
                event = Event()
            } else {
                readField()
                line.removeAll(keepingCapacity: true)
            }
        }
        return events
    }

    private mutating func readField() {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: name, as: UTF8.self) {
        case "event": event.type = String(decoding: value, as: UTF8.self)
        case "id": event.id = String(decoding: value, as: UTF8.self)
        case "data": event.data += value
        default: break
        }
    }
}
