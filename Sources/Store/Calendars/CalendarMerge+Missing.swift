import Bytes
import SookeModel

extension CalendarMerge {
    /// So many are never too many to go at once.
    private static let few = 3

    /// Marks coming events that the calendar lacks, and withdraws those that it has lacked for long; where these are
    /// most of its events, that waits for a person.
    mutating func withdraw(_ missing: [EventRecord]) {
        var due: [EventRecord] = []
        for record in missing {
            guard var source = record.value.source, !source.isKept, record.value.counts else { continue }
            (source.missed, source.missingSince) = (source.missed + 1, source.missingSince ?? clock.now)
            change(record) { event, _ in event.source = source }
            guard source.isDue(at: clock.now) else { continue }
            if record.value.sources.contains(where: { $0.part == .other }) {
                // Another calendar that has it takes its place.
                change(record) { event, _ in event.followOther() }
            } else {
                due.append(record)
            }
        }
        let following = counts.made + own.count { isFollowed($0) && isComing($0) && $0.value.counts }
        // Once it waits, only a person ends that, or the events that come back.
        let isWaiting = calendar.gone != nil && !due.isEmpty
        if isWaiting || due.count > Self.few && due.count * 2 > following {
            gone = (due.count, following)
        } else {
            for record in due { withdraw(record) }
        }
    }

    private mutating func withdraw(_ record: EventRecord) {
        let now = clock.now
        change(record) { event, _ in event.source?.withdrawnAt = now }
        counts.withdrawn += 1
    }

    /// What a person says of the events that are gone at once: that they are, or that they stay.
    package static func settle(_ calendar: Int, areGone: Bool, in town: Town, at clock: EventClock) -> [Change] {
        town.events.of(calendar: calendar).compactMap { record in
            let event = record.value
            guard let source = event.source, source.calendar == calendar, source.withdrawnAt == nil,
                source.isDue(at: clock.now), record.isComing(in: town, at: clock)
            else { return nil }
            var patch = Patch<Event>()
            (patch.values, patch.fields) = (event, ["sources"])
            if areGone { patch.values.source?.withdrawnAt = clock.now }
            if !areGone { patch.values.source?.keep() }
            return Change(before: event, patch: patch)
        }
    }
}

extension Event {
    /// Whether it counts as one of its calendar's: not one that is withdrawn, or that people have taken out.
    fileprivate var counts: Bool { withdrawnAt == nil && status != .rejected && status != .draft }

    /// What its calendar said stays the base: who edited it keeps that.
    fileprivate mutating func followOther() {
        guard let former = source, var next = sources.first(where: { $0.part == .other }) else { return }
        sources.removeAll { $0 == next }
        (next.part, next.fields) = (.source, former.fields)
        source = next
    }
}

extension EventSource {
    /// Three good answers and a day without it.
    private static let (answers, seconds) = (3, 86_400)

    fileprivate func isDue(at now: Timestamp) -> Bool {
        missed >= Self.answers && missingSince.map { $0.advanced(bySeconds: Self.seconds) <= now } ?? false
    }

    package mutating func keep() { (missed, missingSince, withdrawnAt, isKept) = (0, nil, nil, true) }
}

extension WriteTransaction {
    /// Applies changes that were computed on an earlier version; nil for this one.
    ///
    /// - Returns: false, with nothing changed, where one of the events is not as it was then, or a new one may have
    ///   come from elsewhere since.
    package mutating func apply(_ changes: [CalendarMerge.Change], of earlier: Town? = nil) -> Bool {
        let last = IDSequences.Sequence(.event)
        let ids = stride(from: (earlier ?? town).sequences[last] + 1, through: town.sequences[last], by: 1)
        let new = Set(ids.compactMap { town.events[$0].map { EventIdentity($0.value) } })
        let isSame = changes.allSatisfy { change in
            guard let before = change.before else {
                return new.isEmpty || !new.contains(EventIdentity(change.patch.values))
            }
            return town.events[before.id]?.value == before
        }
        guard isSame else { return false }
        for change in changes {
            if let before = change.before { _ = try? update(before.id, change.patch) }
            if change.before == nil { _ = try? create(change.patch) }
        }
        return true
    }
}
