import Platform

/// The indexes of words take longer to build than the records take to read. A small town has them from the start; of a
/// large one they are built while the server responds, and until then no search by words is possible.
extension Town {
    package var isSearchable: Bool { self.businesses.indexes.search.isReady && self.events.indexes.search.isReady }

    static let smallSearch = 1000

    mutating func buildSearchIfSmall() {
        if !isSearchable, self.businesses.count + self.events.count <= Self.smallSearch { buildSearch() }
    }

    mutating func buildSearch() {
        storage[0].businesses.indexes.search = SearchIndex(Array(self.businesses.inOrderOfID))
        storage[0].events.indexes.search = SearchIndex(Array(self.events.inOrderOfID))
    }

    /// In the order of lists, so that a scan of a list finds them close to each other in memory.
    func compileHours() {
        for business in listedBusinesses { _ = business.hours }
    }

    mutating func takeSearch(from other: Town) {
        let (businesses, events) = (Array(self.businesses.inOrderOfID), Array(self.events.inOrderOfID))
        storage[0].businesses.indexes.search = other.businesses.indexes.search.updated(to: businesses)
        storage[0].events.indexes.search = other.events.indexes.search.updated(to: events)
    }
}

extension Store {
    /// Builds the indexes of words whenever they are missing, on a thread of their own.
    package nonisolated func keepSearchable() {
        Task { await startBuildingSearch() }
    }

    private func startBuildingSearch() {
        keepsSearchable = true
        buildSearchWhenMissing()
    }

    /// Called after each publication: an import of many businesses leaves their words out.
    func buildSearchWhenMissing() {
        guard keepsSearchable, !isBuildingSearch, !isClosed, !current.town.isSearchable else { return }
        isBuildingSearch = true
        do throws(SystemError) {
            try Thread.start(name: "search") { [weak self] in
                guard var built = self?.current.town else { return }
                // The first question for what is open would wait for these.
                built.compileHours()
                built.buildSearch()
                // Each round has less to change than the one before.
                for _ in 0..<3 {
                    guard var newest = self?.current.town else { return }
                    newest.takeSearch(from: built)
                    built = newest
                }
                self?.finishSearch(built)
            }
        } catch {
            isBuildingSearch = false
        }
    }

    private nonisolated func finishSearch(_ built: Town) {
        Task { await setSearch(built) }
    }

    private func setSearch(_ built: Town) {
        builtSearch = built
        publishSearch()
    }

    /// Publishes the indexes of words that were built, when no commit is on its way to stable storage.
    func publishSearch() {
        guard let built = builtSearch, !isBatchUnderWay, !isClosed else { return }
        (builtSearch, isBuildingSearch) = (nil, false)
        publish { $0.takeSearch(from: built) }
    }
}
