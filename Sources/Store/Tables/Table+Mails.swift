import Bytes
import SookeModel

package struct MailIndexes: TableIndexes {
    package typealias Record = Mail

    /// Those that wait, by the time when they are due.
    var waiting = KeyIndex<Waiting>()
    var done = KeyIndex<Done>()
    var byPerson = KeyIndex<ByPerson>()
    var stopped = KeyIndex<Stopped>()

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Mail>) {
        visitor.visit(&waiting)
        visitor.visit(&done)
        visitor.visit(&byPerson)
        visitor.visit(&stopped)
    }

    enum Waiting: IndexKey {
        static func key(of record: Mail) -> MomentKey? {
            record.state == .waiting ? MomentKey(moment: record.dueAt, id: record.id) : nil
        }
    }

    enum Done: IndexKey {
        static func key(of record: Mail) -> MomentKey? {
            record.state == .stopped ? nil : record.doneAt.map { MomentKey(moment: $0, id: record.id) }
        }
    }

    enum ByPerson: IndexKey {
        static func key(of record: Mail) -> GroupKey? { record.person.map { GroupKey(group: $0, id: record.id) } }
    }

    enum Stopped: IndexKey {
        static func key(of record: Mail) -> ByteText? {
            record.state == .stopped ? record.email.map(ByteText.init) : nil
        }
    }
}

extension Mail: TableRecord {
    package static var table: TablePath<Mail> { \.mails }

    package typealias Indexes = MailIndexes
}

extension Table<Mail> {
    package var waitingCount: Int { indexes.waiting.records.count }

    /// Those that wait, the first one due first.
    package func due(before moment: Timestamp = .endOfTime, limit: Int) -> [Mail] {
        indexes.waiting.records.elements(below: .start(of: moment)).prefix(limit).map(\.value)
    }

    /// Those that were sent or have failed, the last one first.
    package var done: some Sequence<Mail> { indexes.done.records.reversed().lazy.map(\.value) }

    package func sentCount(in time: Range<Timestamp>) -> Int {
        indexes.done.records.elements(in: .start(of: time.lowerBound)..<(.start(of: time.upperBound)))
            .count { $0.value.state == .sent }
    }

    package func done(before moment: Timestamp) -> some Sequence<Mail> {
        indexes.done.records.elements(below: .start(of: moment)).lazy.map(\.value)
    }

    package func of(person: Int) -> [Mail] {
        indexes.byPerson.records.elements(in: GroupKey.range(of: person)).map(\.value)
    }

    /// Whether who has an address wants no more e-mail; it is given as its digest.
    package func isStopped(_ digest: String) -> Bool { indexes.stopped[ByteText(digest)] != nil }
}
