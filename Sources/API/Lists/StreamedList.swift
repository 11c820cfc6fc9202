import Bytes
import Dispatcher
import Exchange
import HTTP
import JSON
import Service
import SookeModel
import Store
import Synchronization

protocol ListText<Record>: Sendable {
    associatedtype Record

    /// They take less than a millisecond.
    var recordsAtATime: Int { get }

    mutating func begin()

    mutating func append(_ record: Record)

    mutating func end()

    mutating func take() -> [UInt8]
}

protocol RecordParts<Record>: Sendable {
    associatedtype Record

    /// They may be none; nil at the end. `count` candidates are visited.
    mutating func next(visiting count: Int) -> [Record]?
}

extension BusinessList: RecordParts {}
extension EventList: RecordParts {}

/// Rendered while it is sent: however large the town is, the event loop visits a few records at a time, whether they
/// match or not, and one part is in memory.
final class StreamedList<Parts: RecordParts, Text: ListText<Parts.Record>>: BodySource {
    private struct State {
        var parts: Parts
        var text: Text
        var isBegun = false
        var isEnded = false
    }

    private let state: Mutex<State>
    private let isAllowed: @Sendable () -> Bool

    /// - Parameter isAllowed: whether the client still may get it.
    init(_ parts: Parts, as text: Text, while isAllowed: @escaping @Sendable () -> Bool = { true }) {
        state = Mutex(State(parts: parts, text: text))
        self.isAllowed = isAllowed
    }

    func end() {}

    func next(_ wakeup: BodyWakeup) -> BodyPart {
        state.withLock { state in
            if state.isEnded { return .end }
            guard isAllowed() else { return .failed }
            if !state.isBegun { state.text.begin() }
            state.isBegun = true
            if let records = state.parts.next(visiting: state.text.recordsAtATime) {
                for record in records { state.text.append(record) }
            } else {
                state.text.end()
                state.isEnded = true
            }
            let text = state.text.take()
            if !text.isEmpty { return .bytes(text) }
            wakeup()
            return .pending
        }
    }
}

extension CacheableResponse {
    /// - Parameter end: until when it stays the same while the version does.
    static func streamed(
        _ body: some BodySource, as type: MediaType, to call: Call, until end: Timestamp
    ) -> CacheableResponse {
        let tag = EntityTag(ofStream: type, to: call, until: end)
        return .uncached(Response(headers: .revalidated(type.field, tag), stream: BodyStream(body)))
    }
}

struct TableText<Record: TableRecord>: ListText where Record.Value: WritableRecord {
    private let rows = PublicRows<Record.Value>()
    private var text: [UInt8] = []

    var recordsAtATime: Int { 64 }

    mutating func begin() { text.append(contentsOf: rows.header) }

    mutating func append(_ record: Record) { text.append(contentsOf: rows.row(of: record.value)) }

    mutating func end() {}

    mutating func take() -> [UInt8] {
        defer { text = [] }
        return text
    }
}

struct MemberFilter: Sendable {
    let names: Set<String>
    let isExclusive: Bool

    static func only(_ names: Set<String>) -> MemberFilter { MemberFilter(names: names, isExclusive: false) }

    static func without(_ names: Set<String>) -> MemberFilter { MemberFilter(names: names, isExclusive: true) }

    func apply(to object: [UInt8]) -> [UInt8] {
        do {
            return try JSONWriter.object(reservingCapacity: object.count) { writer in
                var reader = JSONReader(object, limits: .trusted)
                try reader.beginObject()
                while let name = try reader.nextKey() {
                    if names.contains(name) == isExclusive {
                        try reader.skipValue()
                    } else {
                        writer.member(name, raw: try reader.readRawSlice())
                    }
                }
            }
        } catch {
            preconditionFailure("an object of the server is not JSON: \(error)")
        }
    }
}

extension JSONWriter {
    mutating func write(_ matches: [SearchMatch], _ names: SearchFieldNames) {
        objects("matches", matches) { match, writer in
            writer.member("field", names[match.field])
            writer.member("text", match.text)
            if let item = match.item { writer.member("item", item) }
        }
    }
}

/// The members in which a client finds the fields that a search matches.
struct SearchFieldNames: Sendable {
    private let term: String
    private let menu: String
    private let address: String

    static let business = SearchFieldNames("category_name", "menus", "address")
    static let event = SearchFieldNames("event_type_name", "organizer", "location")

    private init(_ term: String, _ menu: String, _ address: String) {
        (self.term, self.menu, self.address) = (term, menu, address)
    }

    subscript(field: SearchField) -> String {
        switch field {
        case .name: "name"
        case .term: term
        case .menu: menu
        case .place: "business_name"
        case .description: "description"
        case .address: address
        case .phone: "phone"
        case .synonym: term
        }
    }
}
