import BTree
import Bytes
import SookeModel

/// The answers that are kept for requests which come again, with the indexes that find them.
public struct ReceiptTable: Sendable {
    private var byID = BTree<Int, Receipt>()
    private var byKey = BTree<ReceiptKey, Int>()
    private var byTime = BTree<MomentKey, Void>()
    private var byPersonAndTime = BTree<PersonMomentKey, Void>()
    private var usage = BTree<Int, ReceiptUsage>()

    /// How many there are.
    public var count: Int { byID.count }

    /// The receipt of a number.
    public subscript(id: Int) -> Receipt? { byID[id] }

    /// The receipt that a person (nil is the owner of the data folder) got for a request with a key.
    public subscript(person person: Int?, key key: String) -> Receipt? {
        byKey[ReceiptKey(person: person, key: Slug(key))].flatMap { byID[$0] }
    }

    /// The receipts of a person.
    public func of(person: Int) -> [Receipt] {
        let first = ReceiptKey(person: person, key: Slug(""))
        return byKey.elements(from: first).prefix { $0.key.person == person }.compactMap { byID[$0.value] }
    }

    /// What the receipts of a person (nil is the owner of the data folder) come to.
    public func usage(of person: Int?) -> ReceiptUsage { usage[person ?? 0] ?? ReceiptUsage() }

    /// The oldest receipt of a person.
    func oldest(of person: Int?) -> Receipt? {
        let start = PersonMomentKey(
            person: person ?? 0, moment: MomentKey(moment: Timestamp(microseconds: .min), id: .min))
        let first = byPersonAndTime.elements(from: start).prefix(1).first { $0.key.person == person ?? 0 }
        return first.flatMap { byID[$0.key.moment.id] }
    }

    /// The receipts from before a moment, the oldest first.
    public func before(_ moment: Timestamp) -> some Sequence<Receipt> {
        byTime.elements(below: .start(of: moment)).lazy.compactMap { byID[$0.key.id] }
    }

    /// All receipts in the order of their numbers.
    public var inOrderOfID: some Sequence<Receipt> { byID.lazy.map(\.value) }

    mutating func put(_ receipt: Receipt) {
        remove(id: receipt.id)
        byID.updateValue(receipt, forKey: receipt.id)
        byKey.updateValue(receipt.id, forKey: ReceiptKey(receipt))
        byTime.updateValue((), forKey: MomentKey(moment: receipt.at, id: receipt.id))
        byPersonAndTime.updateValue((), forKey: PersonMomentKey(receipt))
        count(receipt, by: 1)
    }

    mutating func remove(id: Int) {
        guard let old = byID.removeValue(forKey: id) else { return }
        byKey.removeValue(forKey: ReceiptKey(old))
        byTime.removeValue(forKey: MomentKey(moment: old.at, id: id))
        byPersonAndTime.removeValue(forKey: PersonMomentKey(old))
        count(old, by: -1)
    }

    private mutating func count(_ receipt: Receipt, by sign: Int) {
        var sum = usage(of: receipt.person)
        sum.count += sign
        sum.bytes += sign * receipt.body.utf8.count
        if sum.count == 0 {
            usage.removeValue(forKey: receipt.person ?? 0)
        } else {
            usage.updateValue(sum, forKey: receipt.person ?? 0)
        }
    }
}

/// What the receipts of one person come to.
public struct ReceiptUsage: Sendable, Equatable {
    /// How many there are.
    public var count = 0
    /// The bytes of the responses that they hold.
    public var bytes = 0
}

private struct PersonMomentKey: Comparable, Sendable {
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

private struct ReceiptKey: Comparable, Sendable {
    /// 0 for the owner of the data folder.
    let person: Int
    let key: Slug

    init(person: Int?, key: Slug) {
        (self.person, self.key) = (person ?? 0, key)
    }

    init(_ receipt: Receipt) {
        self.init(person: receipt.person, key: Slug(receipt.key))
    }

    static func < (left: ReceiptKey, right: ReceiptKey) -> Bool {
        (left.person, left.key) < (right.person, right.key)
    }
}
