import BTree
import Bytes
import SookeModel

package struct ReceiptIndexes: TableIndexes {
    package typealias Record = Receipt

    var byKey = IDIndex<ByKey>()
    var byTime = IDIndex<ByTime>()
    var byGroupAndTime = IDIndex<ByGroupAndTime>()

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Receipt>) {
        visitor.visit(&byKey)
        visitor.visit(&byTime)
        visitor.visit(&byGroupAndTime)
    }

    enum ByKey: IndexKey {
        static func key(of record: Receipt) -> ReceiptKey? { ReceiptKey(record) }
    }

    enum ByTime: IndexKey {
        static func key(of record: Receipt) -> MomentKey? { MomentKey(moment: record.at, id: record.id) }
    }

    enum ByGroupAndTime: IndexKey {
        static func key(of record: Receipt) -> PersonMomentKey? {
            let group = ReceiptGroup(record.sender)
            return PersonMomentKey(person: group.rawValue, moment: MomentKey(moment: record.at, id: record.id))
        }
    }
}

extension Receipt: TableRecord {
    package static var table: TablePath<Receipt> { \.receipts }

    package typealias Indexes = ReceiptIndexes

    package static func make(
        _ value: Receipt, in town: Town, after existing: Receipt?
    ) throws(InapplicableChange) -> Receipt {
        if Town.kind(named: value.recordKind) == nil {
            throw InapplicableChange(description: "there is no kind of record \"\(value.recordKind.excerpt())\"")
        }
        return value
    }
}

extension Table<Receipt> {
    package subscript(sender: Receipt.Sender, key key: String) -> Receipt? {
        indexes.byKey[ReceiptKey(sender, key: key)].flatMap { byID[$0] }
    }

    package func of(person: Int) -> [Receipt] {
        let first = ReceiptKey(.person(person), key: "")
        return indexes.byKey.tree.elements(from: first).prefix { $0.key.group == first.group }
            .compactMap { byID[$0.value] }
    }

    func count(of group: ReceiptGroup) -> Int { run(of: group).count }

    func oldest(of group: ReceiptGroup) -> Receipt? { run(of: group).first { _ in true }.flatMap { byID[$0.value] } }

    private func run(of group: ReceiptGroup) -> BTree<PersonMomentKey, Int>.Elements {
        let (first, last) = (MomentKey.start(of: .beginningOfTime), MomentKey(moment: .endOfTime, id: .max))
        func key(_ moment: MomentKey) -> PersonMomentKey { PersonMomentKey(person: group.rawValue, moment: moment) }
        return indexes.byGroupAndTime.tree.elements(in: key(first)..<key(last))
    }

    package func after(_ moment: Timestamp) -> some Sequence<Receipt> {
        indexes.byTime.tree.elements(from: MomentKey(moment: moment, id: .max)).lazy.compactMap { byID[$0.value] }
    }

    package func before(_ moment: Timestamp) -> some Sequence<Receipt> {
        indexes.byTime.tree.elements(below: .start(of: moment)).lazy.compactMap { byID[$0.value] }
    }
}

/// The senders that share a limit: each person, the owner of the data folder, and all without an account together,
/// because anyone can have any number of networks.
struct ReceiptGroup: Comparable, Sendable {
    /// The ID of a person, 0 for the owner of the data folder, -1 without an account.
    let rawValue: Int

    init(_ sender: Receipt.Sender) {
        switch sender {
        case .owner: rawValue = 0
        case .person(let id): rawValue = id
        case .network: rawValue = -1
        }
    }

    func limit(in limits: AccountLimits) -> Int { rawValue < 0 ? limits.strangerReceipts : limits.receipts }

    static func < (left: ReceiptGroup, right: ReceiptGroup) -> Bool { left.rawValue < right.rawValue }
}

struct PersonMomentKey: Comparable, Sendable {
    let person: Int
    let moment: MomentKey

    static func < (left: PersonMomentKey, right: PersonMomentKey) -> Bool {
        (left.person, left.moment) < (right.person, right.moment)
    }
}

struct ReceiptKey: Comparable, Sendable {
    let group: ReceiptGroup
    /// The digest of the network of a sender without an account; else empty.
    let network: ByteText
    let key: ByteText

    init(_ sender: Receipt.Sender, key: String) {
        group = ReceiptGroup(sender)
        network = if case .network(let digest) = sender { ByteText(digest) } else { ByteText("") }
        self.key = ByteText(key)
    }

    init(_ receipt: Receipt) {
        self.init(receipt.sender, key: receipt.key)
    }

    static func < (left: ReceiptKey, right: ReceiptKey) -> Bool {
        (left.group, left.network, left.key) < (right.group, right.network, right.key)
    }
}
