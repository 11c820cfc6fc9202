import Bytes
import SookeModel

package struct ReceiptIndexes: TableIndexes {
    package typealias Record = Receipt

    var byKey = KeyIndex<ByKey>()
    var byTime = KeyIndex<ByTime>()
    var byPersonAndTime = KeyIndex<ByPersonAndTime>()

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Receipt>) {
        visitor.visit(&byKey)
        visitor.visit(&byTime)
        visitor.visit(&byPersonAndTime)
    }

    enum ByKey: IndexKey {
        static func key(of record: Receipt) -> ReceiptKey? {
            ReceiptKey(person: record.person ?? 0, key: ByteText(record.key))
        }
    }

    enum ByTime: IndexKey {
        static func key(of record: Receipt) -> MomentKey? { MomentKey(moment: record.at, id: record.id) }
    }

    enum ByPersonAndTime: IndexKey {
        static func key(of record: Receipt) -> PersonMomentKey? {
            PersonMomentKey(person: record.person ?? 0, moment: MomentKey(moment: record.at, id: record.id))
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
