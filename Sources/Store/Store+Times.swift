import SookeModel

/// The instants of events follow from their local times and the zone data, and are stored beside them.
extension Store {
    /// Stores the instants that other zone data gives, and the local times of events that have only instants, as in
    /// format 3, in one commit.
    ///
    /// A store that cannot be written has them in memory alone, and stores them when it can.
    package func settleTimes() async throws {
        guard !isClosed, working.town.mayNeedSettling || !unstoredTimes.isEmpty else { return }
        let isOther = zones.version(after: working.town.storedSettings) != nil
        guard isOther || !unstoredTimes.isEmpty || !working.town.settledEvents().isEmpty else { return }
        guard readOnly == nil, !options.journal.readsOnly, problems.writes == nil else { return settleInMemory() }
        // A version is published between commits.
        flush()
        let stored = unstoredTimes
        unstoredTimes = []
        publish { town in town.replaceEvents(stored) }
        do {
            _ = try await write(by: .local) { $0.settleEvents() }
            currentProblems.withLock { $0.unstoredTimes = 0 }
        } catch StoreError.diskFull {
            settleInMemory()
        }
    }

    private func settleInMemory() {
        flush()
        let settled = working.town.settledEvents()
        unstoredTimes += settled.compactMap { working.town.events[$0.id]?.value }
        publish { $0.replaceEvents(settled) }
        currentProblems.withLock { $0.unstoredTimes = unstoredTimes.count }
    }
}

extension Town {
    /// False where the zone data are those of the last time, and each event has its local times.
    fileprivate var mayNeedSettling: Bool {
        !zones.isVersion(settings.zoneData) || self.events.inOrderOfID.contains { $0.value.startsLocal == nil }
    }

    /// Without a commit. Those that have changed since, or are gone, stay as they are.
    fileprivate mutating func replaceEvents(_ others: [Event]) {
        for event in others {
            guard let now = self.events[event.id]?.value, now.times == event.times else { continue }
            _ = try? apply(.put(AnyRecord(event)), at: nil)
        }
    }
}
