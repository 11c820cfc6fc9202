import Bytes
import SookeModel

package struct NoticeIndexes: TableIndexes {
    package typealias Record = Notice

    var bySlug = KeyIndex<Slug, Notice>(\.slug)
    /// Every page asks for those that are not over; there may be any number of others.
    var live = KeyIndex<Int, Notice> { $0.state == .over ? nil : $0.id }

    package init() {}

    package mutating func visit(_ visitor: inout some IndexVisitor<Notice>) {
        visitor.visit(&bySlug)
        visitor.visit(&live)
    }
}

extension Notice: TableRecord, SluggedRecord {
    package typealias Stored = Notice
    package typealias Indexes = NoticeIndexes

    package static var table: TablePath<Notice> { \.notices }

    package static func find(_ slug: Slug, in town: Town) -> Notice? { town.notices.indexes.bySlug[slug] }

    package static func listed(in town: Town, at now: Timestamp) -> [Notice] { town.currentNotices(at: now) }

    package static func complete(
        _ patch: inout Patch<Notice>, after existing: Notice?, by person: Int?, in town: Town, at now: Timestamp,
        _ problems: inout FieldProblems
    ) {
        if existing == nil, patch.values.from == nil { (patch.values.from, patch.values.createdBy) = (now, person) }
        if existing == nil { patch.fields.formUnion(["from", "created_by"]) }
        patch.values.state = patch.applied(to: existing ?? Notice()).state(at: now)
        patch.fields.insert("state")
        for slug in patch.values.businesses where town.business(at: slug) == nil {
            problems.add("businesses", "there is no business \"\(slug.excerpt())\"")
        }
    }

    /// An import gives no state: the clock settles one that was over.
    package mutating func settle(after existing: Notice?, in town: Town, _ problems: inout FieldProblems) {
        if let existing, existing.state == .over, state == .over, until != existing.until { state = .scheduled }
    }

    package func changeOthers(after existing: Notice, in transaction: inout WriteTransaction) {
        transaction.setClosures(by: self, besides: existing.businesses)
    }
}

extension Town {
    package func business(at slug: String) -> BusinessRecord? {
        self.businesses[Slug(slug)] ?? self.businesses[formerly: Slug(slug)]
    }

    package var liveNotices: [Notice] { self.notices.indexes.live.records.map(\.value) }

    package func currentNotices(at now: Timestamp) -> [Notice] {
        liveNotices.filter { $0.isCurrent(at: now) }.sorted(by: Notice.comesFirst)
    }

    /// When the next one comes or goes by the clock; nil for never.
    package func nextNoticeChange(after now: Timestamp) -> Timestamp? {
        liveNotices.lazy.flatMap { [$0.from, $0.until].compactMap(\.self) }.filter { $0 > now }.min()
    }
}

extension WriteTransaction {
    /// Stores that a notice has come into force, or has gone.
    package mutating func settleNotice(_ id: Int, at now: Timestamp) {
        guard let existing = town.notices[id] else { return }
        var notice = existing
        notice.state = existing.state(at: now)
        write(notice, after: Existing(existing))
        setClosures(by: notice)
    }

    /// Closes the businesses of a notice while it is current, by special hours with its ID, and takes that back. All
    /// other special hours stay as they are.
    mutating func setClosures(by notice: Notice, besides others: [String] = [], isDeleted: Bool = false) {
        let isClosing = notice.closes && notice.state == .current && !isDeleted
        let closed = isClosing ? Set(notice.businesses.compactMap { town.business(at: $0)?.id }) : []
        for id in Set((notice.businesses + others).compactMap { town.business(at: $0)?.id }).sorted() {
            guard let existing = Business.find(id, in: town) else { continue }
            var business = existing
            business.specialHours.removeAll { $0.notice == notice.id }
            if closed.contains(id) { business.specialHours.append(closure(of: existing, by: notice)) }
            write(business, after: Existing(existing))
        }
    }

    /// From today on. The last day does not count when the business opens only after the end.
    private func closure(of business: Business, by notice: Notice) -> SpecialHours {
        let zone = (business.timeZone ?? town.settings.timeZone).flatMap(town.zones.find) ?? town.zones.fallback
        let first = zone.localDate(at: at).date
        var row = SpecialHours()
        (row.from, row.isClosed, row.reason, row.notice) = (first, true, notice.title, notice.id)
        guard let end = notice.until.map(zone.localDate), end.date.hasText else { return row }
        let usual = OpeningSchedule(week: business.hours, text: business.openingHours, special: [])
        let opening = usual.usualSpans(end.date.dayOfWeek).first?.start ?? (end.secondsOfDay == 0 ? 0 : -1)
        row.to = opening * 60 >= end.secondsOfDay ? max(first, end.date.advanced(by: -1)) : end.date
        return row
    }
}
