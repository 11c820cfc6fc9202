import Bytes
import SookeModel
import Store

/// What `sooke outside` asks for, and what it brings.
extension TownService {
    /// Reads an answer as events of a town; nil for one that is no calendar.
    package typealias CalendarReading =
        @Sendable (
            _ bytes: [UInt8], _ calendar: PulledCalendar, _ town: Town, _ now: Timestamp
        ) -> (events: [PulledEvent], leftOut: [String])?

    /// A day's log of one calendar, and of its first day, in bytes.
    private static let (bytesADay, bytesOfFirstDay) = (2 << 20, 8 << 20)
    private static let attempts = 3

    package func takeFetch() -> FetchRequest? {
        guard store.readOnly == nil else { return nil }
        return fetches.take(of: store.current.town.calendars.inOrderOfID, at: clock())
    }

    package func receive(
        _ answer: FetchedAnswer, forCheck token: String, _ problem: CalendarPreview?, reading: CalendarReading
    ) {
        guard let calendar = fetches.calendar(ofCheck: token) else { return }
        if let problem { return fetches.end(token, with: problem) }
        let (town, now) = (store.current.town, clock())
        guard let (events, leftOut) = reading(answer.bytes, calendar, town, now) else { return }
        let merge = CalendarMerge(events, of: calendar, in: town, at: eventClock(of: town, at: now))
        var preview = CalendarPreview()
        let new = merge.changes.filter { $0.before == nil }.map(\.patch.values).map { ($0, merge.next($0)) }
            .sorted { $0.1 < $1.1 }
        (preview.coming, preview.until, preview.leftOut) = (merge.coming, new.last?.1, leftOut + merge.leftOut)
        (preview.first, preview.twins) = (new.prefix(10).map(\.0), merge.twins)
        fetches.end(token, with: preview)
    }

    /// Merges an answer into the town, in one commit, if it changes anything: computed on a version, and applied where
    /// its events are still the same.
    package func receive(
        _ answer: FetchedAnswer, for id: Int, reading: @escaping CalendarReading
    ) async throws(ServiceError) {
        for _ in 0..<Self.attempts {
            let (town, now) = (store.current.town, clock())
            guard let calendar = town.calendars[id], !calendar.isPaused else { return }
            var answer = answer
            let read = answer.outcome == .good ? reading(answer.bytes, calendar, town, now) : nil
            if answer.outcome == .good, read == nil {
                (answer.outcome, answer.words) = (.failed, "its server answers with something that is not a calendar")
            }
            if answer.outcome == .failed { return try await fail(id, answer, at: now) }
            var merge = CalendarMerge(read?.events, of: calendar, in: town, at: eventClock(of: town, at: now))
            let today = clocks(of: town).zone.localDate(at: now).date
            merge.limit(toBytes: room(for: calendar, in: town, on: today))
            let isWhole = !merge.isOpen
            if try await apply(merge, of: calendar, answer, isWhole: isWhole, on: today, at: now) {
                fetches.count(answer.outcome)
                let isSoon = merge.hasEvent(before: now.advanced(bySeconds: 86_400))
                fetches.change(id) { state in
                    state = CalendarFetches.State(triedAt: now, isSoon: isSoon, goodAt: now)
                    state.leftOut = read.map { $0.leftOut + merge.leftOut } ?? state.leftOut
                    if isWhole { (state.etag, state.lastModified) = (answer.etag, answer.lastModified) }
                }
                return
            }
        }
        fetches.change(id) { ($0.triedAt, $0.lease) = (clock(), 0) }
    }

    private func room(for calendar: PulledCalendar, in town: Town, on today: CivilDate) -> Int {
        let isFirst = calendar.days.allSatisfy { $0.date == today }
        let used = calendar.days.first { $0.date == today }?.bytes ?? 0
        let log = calendarLog(in: town)
        return min((isFirst ? Self.bytesOfFirstDay : Self.bytesADay) - used, (log.limit ?? .max) - log.bytes)
    }

    /// What all calendars have added to the log on the days that they have counted, and how much that may be; nil where
    /// the history has no bound.
    package func calendarLog(in town: Town) -> (bytes: Int, limit: Int?) {
        let first = clocks(of: town).zone.localDate(at: clock()).date.daysSinceEpoch - PulledCalendar.mostDays
        let days = town.calendars.inOrderOfID.lazy.flatMap(\.days).filter { $0.date.daysSinceEpoch > first }
        return (days.reduce(0) { $0 + $1.bytes }, store.historyExtent.limitBytes.map { $0 / 4 })
    }

    /// - Returns: false when the town has changed meanwhile.
    private func apply(
        _ merge: CalendarMerge, of calendar: PulledCalendar, _ answer: FetchedAnswer, isWhole: Bool,
        on today: CivilDate, at now: Timestamp
    ) async throws(ServiceError) -> Bool {
        let isStored = calendar.lastGoodAt.map { now < $0.advanced(bySeconds: 86_400) } ?? false
        let isSame = merge.gone?.count == calendar.gone && merge.gone?.of == calendar.goneOf
        if merge.changes.isEmpty, isSame, isStored, calendar.failingSince == nil { return true }
        let bytes = merge.bytes
        var transaction = Transaction<Bool>.ofServer { [self] transaction in
            guard transaction.town.calendars[calendar.id] == calendar, transaction.apply(merge.changes, of: merge.town)
            else { return false }
            var patch = Patch<PulledCalendar>()
            patch.values = calendar
            patch.values.count(merge.counts, bytes: bytes, on: today)
            (patch.values.lastGoodAt, patch.values.failingSince, patch.values.words) = (now, nil, nil)
            (patch.values.gone, patch.values.goneOf) = (merge.gone?.count, merge.gone?.of)
            patch.values.etag = isWhole ? answer.etag : nil
            patch.values.lastModified = isWhole ? answer.lastModified : nil
            patch.fields = [
                "days", "last_good_at", "failing_since", "words", "gone", "gone_of", "etag", "last_modified",
            ]
            try transaction.update(calendar.id, patch)
            if merge.makesPending { tellDeciders(at: nil, notTo: nil, in: &transaction, at: now) }
            return true
        }
        if !merge.changes.isEmpty { transaction.act = CommitAct(verb: CommitAct.pullVerb, file: calendar.name) }
        return try await run(transaction)
    }

    private func fail(_ id: Int, _ answer: FetchedAnswer, at now: Timestamp) async throws(ServiceError) {
        let words = (answer.words ?? "no answer").prefix(bytes: 300)
        fetches.count(.failed)
        fetches.change(id) { state in
            (state.triedAt, state.isAsked, state.lease) = (now, false, 0)
            state.failures += 1
        }
        guard let calendar = store.current.town.calendars[id],
            calendar.failingSince == nil || calendar.words?.hasSameBytes(as: words) != true
        else { return }
        let transaction = Transaction<Void>.ofServer { transaction in
            guard let calendar = transaction.town.calendars[id] else { return }
            var patch = Patch<PulledCalendar>()
            (patch.values.failingSince, patch.values.words) = (calendar.failingSince ?? now, words)
            patch.fields = ["failing_since", "words"]
            try transaction.update(id, patch)
        }
        try await run(transaction)
    }
}

extension PulledCalendar {
    /// Whether people should know that it fails: what its server mends by itself takes a day or two.
    package func hasFailedLong(at now: Timestamp) -> Bool {
        failingSince.map { $0.advanced(bySeconds: 3 * 86_400) <= now } ?? false
    }

    fileprivate mutating func count(_ counts: PulledDay, bytes: Int, on date: CivilDate) {
        if days.last?.date != date { days.append(PulledDay(date)) }
        let last = days.count - 1
        days[last].made += counts.made
        days[last].changed += counts.changed
        days[last].withdrawn += counts.withdrawn
        days[last].bytes += bytes
        days = days.suffix(Self.mostDays)
    }
}

extension CommitAct {
    /// Of a fetched calendar; its name is the file.
    package static let pullVerb = "pull"
}
