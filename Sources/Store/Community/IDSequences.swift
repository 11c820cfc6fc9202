import JSON
import SookeModel

/// The highest IDs ever assigned, so that no ID is reused, not even after a deletion.
public struct IDSequences: Sendable, Equatable {
    /// The kinds of record, and the parts of a business. A password has the ID of its person.
    enum Sequence: String, CaseIterable, Sendable {
        case category
        case eventType = "event_type"
        case person = "user"
        case business, event
        case hours, menu
        case item = "menu_item"
        case credential = "grant"
        case receipt

        static let keys = JSONKeys<Sequence>()
    }

    /// The highest ID of each sequence. An inline array, because each step of a transaction copies it.
    private var highest = InlineArray<10, Int>(repeating: 0)

    /// The highest ID of a sequence; 0 before the first.
    subscript(sequence: Sequence) -> Int {
        get { highest[sequence.index] }
        set { highest[sequence.index] = newValue }
    }

    /// Whether all sequences are equal.
    public static func == (left: IDSequences, right: IDSequences) -> Bool {
        left.highest.indices.allSatisfy { left.highest[$0] == right.highest[$0] }
    }

    /// Takes the next ID of a sequence.
    mutating func next(_ sequence: Sequence) -> Int {
        self[sequence] += 1
        return self[sequence]
    }

    /// Takes the next ID of a kind of record; 0 for passwords, which have no sequence.
    mutating func next(_ kind: RecordKind) -> Int {
        Sequence(kind).map { next($0) } ?? 0
    }

    /// Records the ID of a record.
    mutating func record(_ id: Int, of kind: RecordKind) {
        if let sequence = Sequence(kind) { record(id, in: sequence) }
    }

    /// Records the IDs of a business and of its parts.
    mutating func record(_ business: Business) {
        record(business.id, of: .business)
        recordParts(of: business)
    }

    /// Records the IDs of a business's hours, menus and items.
    mutating func recordParts(of business: Business) {
        for day in business.hours { record(day.id, in: .hours) }
        for menu in business.menus {
            record(menu.id, in: .menu)
            for item in menu.items { record(item.id, in: .item) }
        }
    }

    /// Takes the higher ID of each sequence.
    mutating func formMaximum(_ other: IDSequences) {
        for index in highest.indices { highest[index] = max(highest[index], other.highest[index]) }
    }

    private mutating func record(_ id: Int, in sequence: Sequence) {
        if id > self[sequence] { self[sequence] = id }
    }
}

extension IDSequences.Sequence {
    /// The sequence of a kind of record; nil for passwords, which have none.
    init?(_ kind: RecordKind) {
        switch kind {
        case .category: self = .category
        case .eventType: self = .eventType
        case .person: self = .person
        case .business: self = .business
        case .event: self = .event
        case .credential: self = .credential
        case .receipt: self = .receipt
        case .password: return nil
        }
    }

    /// Whether it is the sequence of a private kind; see `RecordKind.shared`.
    var isPrivate: Bool { self == .credential || self == .receipt }

    fileprivate var index: Int {
        switch self {
        case .category: 0
        case .eventType: 1
        case .person: 2
        case .business: 3
        case .event: 4
        case .hours: 5
        case .menu: 6
        case .item: 7
        case .credential: 8
        case .receipt: 9
        }
    }
}
