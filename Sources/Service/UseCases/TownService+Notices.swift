import Bytes
import Platform
import SookeModel
import Store

/// Notices come into force and go by the clock; what people do with them by one tap. They are written as records of
/// other kinds are.
extension TownService {
    package enum NoticeStep: String, CaseIterable, Sendable {
        /// It is over, now.
        case end
        /// It stays until the same time of the next day.
        case extend
        /// It is still right.
        case confirm
    }

    /// By an editor, or the owner who wrote it.
    package func take(_ step: NoticeStep, of slug: Slug, for context: RequestContext) -> Transaction<Outcome> {
        once(for: context, .member) { [self] transaction in
            let (town, now) = (transaction.town, clock())
            let notice = try record(slug, of: Notice.self, matching: context.precondition, in: town)
            guard mayStep(notice, context.caller, in: town) else { throw ServiceError.forbidden }
            var patch = Patch<Notice>()
            (patch.values, patch.fields) = (notice, ["confirmed_at", "until", "from", "state"])
            patch.values.confirmedAt = now
            switch step {
            case .confirm: break
            case .end:
                patch.values.until = min(notice.until ?? now, now)
                patch.values.from = notice.from.map { min($0, now) }
            case .extend:
                let zone = clocks(of: town).zone
                let end = zone.localDate(at: max(notice.until ?? now, now))
                patch.values.until = zone.moment(of: end.date.advanced(by: 1), secondsOfDay: end.secondsOfDay)
            }
            patch.values.state = patch.values.state(at: now)
            try transaction.update(notice.id, patch)
            return .updated(try transaction.town.joined(Notice.self, id: notice.id))
        }
    }

    package func mayStep(_ notice: Notice, _ caller: Caller, in town: Town) -> Bool {
        if caller.isEditor(in: town) { return true }
        guard let person = caller.person(in: town), notice.createdBy == person.id else { return false }
        return notice.businesses.allSatisfy { town.business(at: $0)?.isManaged(by: person) ?? false }
    }

    /// A notice that a business is closed until its next midnight: one a day, however often its owner asks for it.
    package func closeToday(_ slug: Slug, for context: RequestContext) -> Transaction<Outcome> {
        once(for: context, .businessEditor, at: slug) { [self] transaction in
            let business = try business(slug, matching: context.precondition, in: transaction.town).value
            if business.category == nil { throw ServiceError.invalid("category", "is missing: nobody sees the place") }
            let (now, zone) = (clock(), business.timeZone.flatMap { try? zones.zone(named: $0) })
            let midnights = zone ?? clocks(of: transaction.town).zone
            let today = midnights.localDate(at: now).date
            var (patch, problems) = (Patch<Notice>(), FieldProblems())
            (patch.values.title, patch.values.closes) = ("\(business.name.excerpt()) is closed today", true)
            patch.values.until = midnights.start(of: today.advanced(by: 1))
            patch.values.businesses = [slug.text]
            patch.fields = ["title", "until", "businesses", "closes"]
            let known = transaction.town.notices.inOrderOfID.first { [patch] notice in
                notice.title == patch.values.title && notice.businesses == patch.values.businesses
                    && notice.from.map { midnights.localDate(at: $0).date } == today
            }
            Notice.complete(
                &patch, after: known, by: context.caller.personID, in: transaction.town, at: now, &problems)
            guard let known else {
                let notice = try transaction.create(patch)
                return .created(try transaction.town.joined(Notice.self, id: notice.id))
            }
            try transaction.update(known.id, patch)
            return .updated(try transaction.town.joined(Notice.self, id: known.id))
        }
    }

    package func noticesToConfirm(for caller: Caller, in town: Town) -> [Notice] {
        let (now, isAdmin, person) = (clock(), caller.isSuperAdmin(in: town), caller.personID)
        return town.liveNotices.filter { notice in
            let isTheirs = person != nil && notice.createdBy == person && mayStep(notice, caller, in: town)
            return (isAdmin || isTheirs) && notice.isToBeConfirmed(at: now)
        }
    }

    /// Stores when notices come into force and when they go: at a start, and then at their times. Between them it waits
    /// for a commit, which may have changed them.
    package func followNotices() throws(SystemError) {
        try Thread.start(name: "notices") { [weak self, commits] in
            while let pause = self?.settleNotices() { commits.wait(milliseconds: pause, isWallTime: true) }
        }
    }

    /// A commit for each whose time has come; a read-only town stores it later. Returns milliseconds to the next call.
    @discardableResult
    package func settleNotices() -> Int {
        let (now, town) = (clock(), store.current.town)
        let due = store.readOnly == nil ? town.liveNotices.filter { $0.state != $0.state(at: now) } : []
        for notice in due { run(.ofServer { $0.settleNotice(notice.id, at: now) }) { _ in } }
        // A commit that fails is tried again.
        if !due.isEmpty { return 1000 }
        let next = town.nextNoticeChange(after: now) ?? .endOfTime
        return min((next.microseconds - now.microseconds) / 1000 + 1, 1 << 40)
    }
}
