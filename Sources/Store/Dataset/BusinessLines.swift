import Bytes
import JSON
import Journal
import Platform
import SookeModel
import Synchronization

/// Makes businesses of the lines of a snapshot, on two threads: they are nearly all of it, and nobody waits for
/// anything else at a start.
///
/// Lines gather in batches. A thread beside takes them while the file is read on; when it is behind, the thread that
/// brings the lines reads a batch itself, so that both are busy and little waits.
final class BusinessLines {
    /// What a batch comes to.
    private struct Outcome: Sendable {
        var records: [BusinessRecord] = []
        var sequences = IDSequences()
        var failure: StoredRecordError?
    }

    private final class Outcomes: Sendable {
        struct State {
            var byBatch: [Int: Outcome] = [:]
            var waiting = 0
        }

        let state = Mutex(State())
    }

    /// The town so far, with the categories that the businesses name.
    private let community: Community
    private var lines = Batch()
    private var batchCount = 0
    private var thread: ThreadExecutor?
    private let outcomes = Outcomes()

    /// Some lines in one place: were they parts of what the file was read into, two threads would count its references
    /// for each.
    private struct Batch: Sendable {
        private var bytes: [UInt8] = []
        private var ends: [Int] = []

        var count: Int { ends.count }

        mutating func append(_ line: ArraySlice<UInt8>) {
            bytes += line
            ends.append(bytes.count)
        }

        subscript(index: Int) -> [UInt8] { Array(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]) }

        /// What is in it, leaving a batch with as much room.
        mutating func take() -> Batch {
            var next = Batch()
            next.bytes.reserveCapacity(bytes.count)
            next.ends.reserveCapacity(count)
            swap(&self, &next)
            return next
        }
    }

    private static let batchSize = 1024
    /// As many batches may wait for the thread beside.
    private static let queue = 2

    /// No lines so far, of a town with these categories.
    init(in community: Community) {
        self.community = community
    }

    deinit {
        thread?.stop()
    }

    /// Takes the next line.
    func append(_ line: ArraySlice<UInt8>) {
        lines.append(line)
        if lines.count == Self.batchSize { handOn() }
    }

    /// The businesses of all lines in their order, and the highest IDs in them.
    ///
    /// - Throws: what is wrong with the first line that is none of a business.
    func finish() throws(StoredRecordError) -> (records: [BusinessRecord], sequences: IDSequences) {
        let last = Self.read(lines, after: batchCount * Self.batchSize, community)
        thread?.stop()
        thread = nil
        let read = outcomes.state.withLock { $0.byBatch }
        var all = Outcome()
        all.records.reserveCapacity(batchCount * Self.batchSize + lines.count)
        for outcome in (0..<batchCount).compactMap({ read[$0] }) + [last] {
            if let failure = outcome.failure { throw failure }
            all.records += outcome.records
            all.sequences.formMaximum(outcome.sequences)
        }
        return (all.records, all.sequences)
    }

    private func handOn() {
        let (batch, number, community, outcomes) = (lines.take(), batchCount, community, outcomes)
        batchCount += 1
        let isBehind = outcomes.state.withLock { state in
            if state.waiting == Self.queue { return true }
            state.waiting += 1
            return false
        }
        if isBehind {
            let outcome = Self.read(batch, after: number * Self.batchSize, community)
            return outcomes.state.withLock { $0.byBatch[number] = outcome }
        }
        if thread == nil {
            thread = ThreadExecutor(name: "snapshot-lines")
            thread?.start {}
        }
        thread?.enqueue {
            let outcome = Self.read(batch, after: number * Self.batchSize, community)
            outcomes.state.withLock { state in
                state.byBatch[number] = outcome
                state.waiting -= 1
            }
        }
    }

    private static func read(_ lines: Batch, after count: Int, _ community: Community) -> Outcome {
        var outcome = Outcome()
        outcome.records.reserveCapacity(lines.count)
        // Looked up once a batch: two threads at one tree would wait for each other's counts of references.
        var categoryIDs: [Slug: Int] = [:]
        for index in 0..<lines.count {
            do {
                var reader = JSONReader(lines[index], limits: .trusted)
                let business = try Business(stored: &reader)
                try reader.finish()
                outcome.sequences.record(business)
                let categoryID = try business.category.map { slug in
                    if let id = categoryIDs[slug] { return id }
                    let id = try community.categoryID(of: slug)
                    categoryIDs[slug] = id
                    return id
                }
                outcome.records.append(BusinessRecord(business, categoryID: categoryID))
            } catch {
                outcome.failure = StoredRecordError("business \(count + index + 1): \(StoredRecordError(error))")
                return outcome
            }
        }
        return outcome
    }
}
