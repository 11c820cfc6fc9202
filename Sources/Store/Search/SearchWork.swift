/// The limits of a search.
struct SearchLimits: Sendable {
    /// The most steps; one takes up to six nanoseconds.
    var steps = 400_000
    /// The most names of categories, types and places that are read.
    var names = 10_000
    /// The most records whose texts are read for a phrase.
    var phraseRecords = 250
    /// The most records that a predicate is applied to.
    var filteredRecords = 50_000
}

/// What a search has cost so far.
struct SearchWork: Sendable {
    let limits: SearchLimits
    /// The steps so far.
    private(set) var steps = 0
    /// The number of records whose texts were read.
    var verifiedRecords = 0
    /// Whether a limit ended a part of the search.
    var isBounded = false
    /// The number of steps at which the current part ends.
    private var end: Int

    /// The steps of a search in the tree.
    static let stepsPerSeek = 100
    /// The steps of finding a chunk, besides one per posting.
    static let stepsPerChunk = 20

    init(_ limits: SearchLimits) {
        (self.limits, end) = (limits, limits.steps)
    }

    /// Begins one of some remaining parts, each of which may take an equal share of the remaining steps.
    mutating func beginShare(of parts: Int) { end = steps + (limits.steps - steps) / parts }

    /// Counts steps; false when the part must end before them.
    @discardableResult
    mutating func add(_ count: Int) -> Bool {
        guard steps + count <= end else {
            isBounded = true
            return false
        }
        steps += count
        return true
    }
}
