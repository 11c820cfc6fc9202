import Bytes
import SookeModel

package struct MailIndexes: TableIndexes {
    package typealias Record = Mail

    /// Those that wait, by the time when they are due.
    var waiting = KeyIndex<MomentKey, Mail> { mail in
        mail.state == .waiting ? MomentKey(moment: mail.dueAt, id: mail.id) : nil
    }
    var byPerson = KeyIndex<GroupKey, Mail> { GroupKey(group: $0.person, id: $0.id) }
    var stopped = KeyIndex<ByteText, Mail> { $0.state == .stopped ? $0.email.map(ByteText.init) : nil }

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Mail>) {
        visitor.visit(&waiting)
        visitor.visit(&byPerson)
        visitor.visit(&stopped)
    }
}

extension Mail: TableRecord {
    package static var table: TablePath<Mail> { \.mails }

    package typealias Indexes = MailIndexes
}

extension Table<Mail> {
    package var waitingCount: Int { indexes.waiting.records.count }

    package func due(before moment: Timestamp = .endOfTime, limit: Int) -> [Mail] {
        indexes.waiting.records.elements(below: .start(of: moment)).prefix(limit).map(\.value)
    }

    /// Those that were sent or have failed in a time, the last one first.
    package func done(in time: Range<Timestamp> = Timestamp.beginningOfTime..<Timestamp.endOfTime) -> [Mail] {
        let done = inOrderOfID.compactMap { mail in mail.state == .stopped ? nil : mail.doneAt.map { ($0, mail) } }
        return done.filter { time.contains($0.0) }.sorted { $0.0 < $1.0 }.reversed().map(\.1)
    }

    package func of(person: Int) -> [Mail] {
        indexes.byPerson.records.elements(in: GroupKey.range(of: person)).map(\.value)
    }

    /// Whether who has an address wants no more e-mail; it is given as its digest.
    package func isStopped(_ digest: String) -> Bool { indexes.stopped[ByteText(digest)] != nil }
}
