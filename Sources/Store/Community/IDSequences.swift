import JSON
import SookeModel

/// The highest numbers ever given, so that a number is never given twice, not even after a deletion.
public struct IDSequences: Sendable, Equatable {
    /// What is numbered: the kinds of record (a password has its person's number), and the parts of a business.
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

    /// One for each sequence; in place, since every step of a transaction keeps those before it.
    private var highest = InlineArray<10, Int>(repeating: 0)

    /// The highest number given in a sequence; 0 before the first.
    subscript(sequence: Sequence) -> Int {
        get { highest[sequence.index] }
        set { highest[sequence.index] = newValue }
    }

    /// Whether the same numbers were given.
    public static func == (left: IDSequences, right: IDSequences) -> Bool {
        left.highest.indices.allSatisfy { left.highest[$0] == right.highest[$0] }
    }

    /// The next free number of a sequence.
    mutating func next(_ sequence: Sequence) -> Int {
        self[sequence] += 1
        return self[sequence]
    }

    /// The next free number of a kind of record; 0 for passwords, which get no numbers.
    mutating func next(_ kind: RecordKind) -> Int {
        Sequence(kind).map { next($0) } ?? 0
    }

    /// Takes note of the number of a record.
    mutating func note(_ number: Int, of kind: RecordKind) {
        if let sequence = Sequence(kind) { note(number, in: sequence) }
    }

    /// Takes note of the number of a business, and of those of its parts.
    mutating func note(_ business: Business) {
        note(business.id, of: .business)
        noteParts(of: business)
    }

    /// Takes note of the numbers of a business's hours, menus and items.
    mutating func noteParts(of business: Business) {
        for day in business.hours { note(day.id, in: .hours) }
        for menu in business.menus {
            note(menu.id, in: .menu)
            for item in menu.items { note(item.id, in: .item) }
        }
    }

    /// Takes note of the numbers that others have noted.
    mutating func formMaximum(_ other: IDSequences) {
        for index in highest.indices { highest[index] = max(highest[index], other.highest[index]) }
    }

    mutating func note(_ number: Int, in sequence: Sequence) {
        if number > self[sequence] { self[sequence] = number }
    }
}

extension IDSequences.Sequence {
    /// The sequence of a kind of record; nil for passwords, which get no numbers.
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

    /// Whether the sequence is that of a private kind; see `RecordKind.shared`.
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
