import BTree
import Bytes
import SookeModel

/// The indexes of receipts.
public struct ReceiptIndexes: TableIndexes {
    /// The records of the table.
    public typealias Record = Receipt

    var byKey = IDIndex<ByKey>()
    var byTime = IDIndex<ByTime>()
    var byPersonAndTime = IDIndex<ByPersonAndTime>()
    var usage = ReceiptUsageIndex()

    /// Indexes of no receipts.
    public init() {}

    /// Visits each index once.
    public mutating func visit(_ visitor: inout some IndexVisitor<Receipt>) {
        visitor.visit(&byKey)
        visitor.visit(&byTime)
        visitor.visit(&byPersonAndTime)
        visitor.visit(&usage)
    }

    enum ByKey: IndexKey {
        static func key(of record: Receipt) -> ReceiptKey? { ReceiptKey(record) }
    }

    enum ByTime: IndexKey {
        static func key(of record: Receipt) -> MomentKey? { MomentKey(moment: record.at, id: record.id) }
    }

    enum ByPersonAndTime: IndexKey {
        static func key(of record: Receipt) -> PersonMomentKey? { PersonMomentKey(record) }
    }
}

/// The sums of the receipts of each person.
struct ReceiptUsageIndex: Index {
    /// By person; 0 is the owner of the data folder.
    private var tree = BTree<Int, ReceiptUsage>()

    init() {}

    init(_ records: [Receipt]) {
        for record in records { add(record, 1) }
    }

    subscript(person: Int?) -> ReceiptUsage { tree[person ?? 0] ?? ReceiptUsage() }

    mutating func insert(_ record: Receipt, among records: BTree<Int, Receipt>) { add(record, 1) }

    mutating func remove(_ record: Receipt, among records: BTree<Int, Receipt>) { add(record, -1) }

    private mutating func add(_ receipt: Receipt, _ sign: Int) {
        var sum = self[receipt.person]
        sum.count += sign
        sum.bytes += sign * (receipt.body?.utf8.count ?? 0)
        if sum.count == 0 {
            tree.removeValue(forKey: receipt.person ?? 0)
        } else {
            tree.updateValue(sum, forKey: receipt.person ?? 0)
        }
    }
}

extension Receipt: TableRecord {
    /// The table.
    public static var table: TablePath<Receipt> { \.receipts }

    /// The indexes of the table.
    public typealias Indexes = ReceiptIndexes

    /// The receipt, which is stored as it is.
    ///
    /// - Throws: when there is no such kind of record.
    public static func make(
        _ value: Receipt, in town: Town, after existing: Receipt?
    ) throws(InapplicableChange) -> Receipt {
        if let name = value.recordKind, Town.kind(named: name) == nil {
            throw InapplicableChange(description: "there is no kind of record \"\(name.excerpt())\"")
        }
        return value
    }
}

extension Table<Receipt> {
    /// The receipt of a person (nil is the owner of the data folder) for an idempotency key.
    public subscript(person person: Int?, key key: String) -> Receipt? {
        indexes.byKey[ReceiptKey(person: person, key: ByteText(key))].flatMap { byID[$0] }
    }

    /// The receipts of a person.
    public func of(person: Int) -> [Receipt] {
        let first = ReceiptKey(person: person, key: ByteText(""))
        return indexes.byKey.tree.elements(from: first).prefix { $0.key.person == person }.compactMap { byID[$0.value] }
    }

    /// The sums of the receipts of a person (nil is the owner of the data folder).
    public func usage(of person: Int?) -> ReceiptUsage { indexes.usage[person] }

    /// The oldest receipt of a person.
    func oldest(of person: Int?) -> Receipt? {
        let start = PersonMomentKey(
            person: person ?? 0, moment: MomentKey(moment: Timestamp(microseconds: .min), id: .min))
        let first = indexes.byPersonAndTime.tree.elements(from: start).prefix(1).first { $0.key.person == person ?? 0 }
        return first.flatMap { byID[$0.value] }
    }

    /// The receipts from after a moment, the oldest first.
    public func after(_ moment: Timestamp) -> some Sequence<Receipt> {
        indexes.byTime.tree.elements(from: MomentKey(moment: moment, id: .max)).lazy.compactMap { byID[$0.value] }
    }

    /// The receipts from before a moment, the oldest first.
    public func before(_ moment: Timestamp) -> some Sequence<Receipt> {
        indexes.byTime.tree.elements(below: .start(of: moment)).lazy.compactMap { byID[$0.value] }
    }
}

/// The totals of the receipts of one person.
public struct ReceiptUsage: Sendable, Equatable {
    /// The number of receipts.
    public var count = 0
    /// The bytes of the responses in them.
    public var bytes = 0
}

struct PersonMomentKey: Comparable, Sendable {
    /// 0 for the owner of the data folder.
    let person: Int
    let moment: MomentKey

    init(person: Int, moment: MomentKey) {
        (self.person, self.moment) = (person, moment)
    }

    init(_ receipt: Receipt) {
        self.init(person: receipt.person ?? 0, moment: MomentKey(moment: receipt.at, id: receipt.id))
    }

    static func < (left: PersonMomentKey, right: PersonMomentKey) -> Bool {
        (left.person, left.moment) < (right.person, right.moment)
    }
}

struct ReceiptKey: Comparable, Sendable {
    /// 0 for the owner of the data folder.
    let person: Int
    let key: ByteText

    init(person: Int?, key: ByteText) {
        (self.person, self.key) = (person ?? 0, key)
    }

    init(_ receipt: Receipt) {
        self.init(person: receipt.person, key: ByteText(receipt.key))
    }

    static func < (left: ReceiptKey, right: ReceiptKey) -> Bool {
        (left.person, left.key) < (right.person, right.key)
    }
}
