import Bytes
import SookeModel

extension CalendarMerge {
    /// Three good answers and a day without it.
    private static let (answers, seconds) = (3, 86_400)
    /// So many are never too many to go at once.
    private static let few = 3

    /// Marks coming events that the calendar lacks, and withdraws those that it has lacked for long; where these are
    /// most of its events, that waits for a person.
    mutating func withdraw(_ missing: [EventRecord]) {
        var due: [EventRecord] = []
        for record in missing {
            guard let source = record.value.source, !source.isKept, source.withdrawnAt == nil,
                record.value.status != .rejected, record.value.status != .draft
            else { continue }
            let since = source.missingSince ?? clock.now
            setSource(of: record) { source in (source.missed, source.missingSince) = (source.missed + 1, since) }
            guard source.missed + 1 >= Self.answers, since.advanced(bySeconds: Self.seconds) <= clock.now else {
                continue
            }
            if record.value.sources.contains(where: { $0.part == .other }) {
                // Another calendar that has it takes its place.
                change(record) { event, _ in event.followOther() }
            } else {
                due.append(record)
            }
        }
        let following = own.count { record in
            let source = record.value.source
            return source?.calendar == calendar.id && source?.withdrawnAt == nil && isComingNow(record)
        }
        // Once it waits, only a person ends that, or the events that come back.
        let isWaiting = calendar.gone != nil && !due.isEmpty
        if isWaiting || due.count > Self.few && due.count * 2 > following {
            gone = (due.count, following)
        } else {
            for record in due { withdraw(record) }
        }
    }

    private func isComingNow(_ record: EventRecord) -> Bool {
        record.representative(at: clock, record.businessID.flatMap { town.businesses[$0] }).overAt > clock.now
            && record.value.status != .rejected && record.value.status != .draft
    }

    private mutating func withdraw(_ record: EventRecord) {
        let now = clock.now
        setSource(of: record) { $0.withdrawnAt = now }
        counts.withdrawn += 1
    }

    private mutating func setSource(of record: EventRecord, _ body: (inout EventSource) -> Void) {
        change(record) { event, _ in
            guard let index = event.sources.firstIndex(where: { $0.part == .source }) else { return }
            body(&event.sources[index])
        }
    }

    /// What a person says of the events that are gone at once: that they are, or that they stay.
    package static func settle(_ calendar: Int, areGone: Bool, in town: Town, at now: Timestamp) -> [Change] {
        town.events.of(calendar: calendar).compactMap { record in
            let event = record.value
            guard let index = event.sources.firstIndex(where: { $0.calendar == calendar && $0.part == .source }),
                let since = event.sources[index].missingSince, event.sources[index].withdrawnAt == nil,
                event.sources[index].missed >= answers, since.advanced(bySeconds: seconds) <= now
            else { return nil }
            var patch = Patch<Event>()
            (patch.values, patch.fields) = (event, ["sources"])
            if areGone { patch.values.sources[index].withdrawnAt = now }
            if !areGone { patch.values.sources[index].keep() }
            return Change(before: event, patch: patch)
        }
    }
}

extension Event {
    /// What its calendar said stays the base: who edited it keeps that.
    fileprivate mutating func followOther() {
        guard let index = sources.firstIndex(where: { $0.part == .other }),
            let former = sources.firstIndex(where: { $0.part == .source })
        else { return }
        (sources[index].part, sources[index].fields) = (.source, sources[former].fields)
        sources.remove(at: former)
    }
}

extension EventSource {
    package mutating func keep() { (missed, missingSince, withdrawnAt, isKept) = (0, nil, nil, true) }
}

extension WriteTransaction {
    /// Applies changes that were computed on an earlier version.
    ///
    /// - Returns: false, with nothing changed, where one of the events is not as it was then.
    package mutating func apply(_ changes: [CalendarMerge.Change]) -> Bool {
        let isSame = changes.allSatisfy { change in
            guard let before = change.before else { return true }
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
