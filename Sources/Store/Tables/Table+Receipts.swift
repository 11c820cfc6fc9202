import Bytes
import SookeModel

package struct ReceiptIndexes: TableIndexes {
    package typealias Record = Receipt

    var byKey = KeyIndex<ReceiptKey, Receipt> { ReceiptKey(person: $0.person ?? 0, key: ByteText($0.key)) }
    var byTime = KeyIndex<MomentKey, Receipt> { MomentKey(moment: $0.at, id: $0.id) }
    var byPersonAndTime = KeyIndex<PersonMomentKey, Receipt> { receipt in
        PersonMomentKey(person: receipt.person ?? 0, moment: MomentKey(moment: receipt.at, id: receipt.id))
    }

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Receipt>) {
        visitor.visit(&byKey)
        visitor.visit(&byTime)
        visitor.visit(&byPersonAndTime)
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
    /// Nil for the owner of the data folder.
    package subscript(person person: Int?, key key: String) -> Receipt? {
        indexes.byKey[ReceiptKey(person: person ?? 0, key: ByteText(key))]
    }

    package func of(person: Int) -> [Receipt] { run(of: person).map(\.value) }

    func count(of person: Int?) -> Int { run(of: person).count }

    func oldest(of person: Int?) -> Receipt? { run(of: person).first?.value }

    private func run(of person: Int?) -> SortedMap<PersonMomentKey, Receipt>.SubSequence {
        let (first, last) = (MomentKey.start(of: .beginningOfTime), MomentKey(moment: .endOfTime, id: .max))
        func key(_ moment: MomentKey) -> PersonMomentKey { PersonMomentKey(person: person ?? 0, moment: moment) }
        return indexes.byPersonAndTime.records.elements(in: key(first)..<key(last))
    }

    package func after(_ moment: Timestamp) -> some Sequence<Receipt> {
        indexes.byTime.records.elements(from: MomentKey(moment: moment, id: .max)).lazy.map(\.value)
    }

    package func before(_ moment: Timestamp) -> some Sequence<Receipt> {
        indexes.byTime.records.elements(below: .start(of: moment)).lazy.map(\.value)
    }
}

struct PersonMomentKey: Comparable, Sendable {
    let person: Int
    let moment: MomentKey

    static func < (left: PersonMomentKey, right: PersonMomentKey) -> Bool {
        (left.person, left.moment) < (right.person, right.moment)
    }
}

struct ReceiptKey: Comparable, Sendable {
    let person: Int
    let key: ByteText

    static func < (left: ReceiptKey, right: ReceiptKey) -> Bool {
        (left.person, left.key) < (right.person, right.key)
    }
}
