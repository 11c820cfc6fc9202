import SookeModel

/// The highest IDs ever assigned, so that no ID is reused, not even after a deletion.
package struct IDSequences: Sendable, Equatable {
    /// The sequence of a kind of record, or of a part of a business.
    package struct Sequence: Sendable {
        let name: String
        /// Whether a snapshot leaves it out while it is 0: that of a private kind, or of a kind with one record.
        let isOptional: Bool
        fileprivate let index: Int

        static let all: [Sequence] = {
            let always = Town.kinds.filter { !$0.isOptional }.map(\.name) + ["hours", "menu", "menu_item"]
            let names = always + Town.kinds.filter(\.isOptional).map(\.name)
            precondition(names.count <= capacity, "more sequences than the array has room for")
            return names.enumerated().map { index, name in
                Sequence(name: name, isOptional: index >= always.count, index: index)
            }
        }()

        private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

        package static let hours = Sequence(named: "hours")
        package static let menu = Sequence(named: "menu")
        package static let item = Sequence(named: "menu_item")
        private static let business = Sequence(named: RecordKind.business.name)

        /// The sequence of a kind of record. That of passwords stays empty, because a password has the ID of its
        /// person; so does that of the settings.
        package init(_ kind: RecordKind) {
            // The kind that is written most often.
            self = kind == .business ? .business : Sequence(named: kind.name)
        }

        private init(named name: String) {
            guard let sequence = Self.byName[name] else { preconditionFailure("there is no sequence \(name)") }
            self = sequence
        }

        private init(name: String, isOptional: Bool, index: Int) {
            (self.name, self.isOptional, self.index) = (name, isOptional, index)
        }
    }

    private static let capacity = 20
    /// The highest ID of each sequence. An inline array, because each step of a transaction copies it.
    private var highest = InlineArray<20, Int>(repeating: 0)

    /// 0 before the first.
    package internal(set) subscript(sequence: Sequence) -> Int {
        get { highest[sequence.index] }
        set { highest[sequence.index] = newValue }
    }

    package static func == (left: IDSequences, right: IDSequences) -> Bool {
        left.highest.indices.allSatisfy { left.highest[$0] == right.highest[$0] }
    }

    mutating func next(_ sequence: Sequence) -> Int {
        self[sequence] += 1
        return self[sequence]
    }

    mutating func record(_ id: Int, in sequence: Sequence) {
        if id > self[sequence] { self[sequence] = id }
    }

    mutating func record(_ business: Business) {
        record(business.id, in: Sequence(.business))
        recordParts(of: business)
    }

    mutating func recordParts(of business: Business) {
        for day in business.hours { record(day.id, in: .hours) }
        for menu in business.menus {
            record(menu.id, in: .menu)
            for item in menu.items { record(item.id, in: .item) }
        }
    }

    mutating func formMaximum(_ other: IDSequences) {
        for index in highest.indices { highest[index] = max(highest[index], other.highest[index]) }
    }
}

extension RecordKind {
    /// Whether the document of a town without such records does not mention them.
    var isOptional: Bool { !isShared || hasOneRecord || self == .notice }
}
