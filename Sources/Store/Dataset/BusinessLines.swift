import Bytes
import JSON
import Journal
import Platform
import SookeModel
import Synchronization

/// Decodes the businesses in the lines of a snapshot, on two threads, because they take most of the time of a start.
///
/// Lines are collected in batches. A second thread decodes them while the file is read. When its queue is full, the
/// reading thread decodes a batch itself, so that both are busy and memory stays bounded.
final class BusinessLines {
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

    /// The town so far, with the categories of the businesses.
    private let town: Town
    private var lines = Batch()
    private var batchCount = 0
    private var thread: ThreadExecutor?
    private let outcomes = Outcomes()

    /// Some lines in one buffer. If they were slices of the read buffer, two threads would update its reference count
    /// for each line.
    private struct Batch: Sendable {
        private var bytes: [UInt8] = []
        private var ends: [Int] = []

        var count: Int { ends.count }

        mutating func append(_ line: ArraySlice<UInt8>) {
            bytes += line
            ends.append(bytes.count)
        }

        subscript(index: Int) -> [UInt8] { Array(bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]) }

        /// Takes the lines out, leaving an empty batch of the same capacity.
        mutating func take() -> Batch {
            var next = Batch()
            next.bytes.reserveCapacity(bytes.count)
            next.ends.reserveCapacity(count)
            swap(&self, &next)
            return next
        }
    }

    private static let batchSize = 1024
    /// The most batches that wait for the second thread.
    private static let queue = 2

    init(in town: Town) {
        self.town = town
    }

    deinit {
        thread?.stop()
    }

    func append(_ line: ArraySlice<UInt8>) {
        lines.append(line)
        if lines.count == Self.batchSize { handOn() }
    }

    /// The businesses of all lines in order, and the highest IDs in them.
    ///
    /// - Throws: the error of the first line that is not a business.
    func finish() throws(StoredRecordError) -> (records: [BusinessRecord], sequences: IDSequences) {
        let last = Self.read(lines, after: batchCount * Self.batchSize, town)
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
        let (batch, number, town, outcomes) = (lines.take(), batchCount, town, outcomes)
        batchCount += 1
        let isBehind = outcomes.state.withLock { state in
            if state.waiting == Self.queue { return true }
            state.waiting += 1
            return false
        }
        if isBehind {
            let outcome = Self.read(batch, after: number * Self.batchSize, town)
            return outcomes.state.withLock { $0.byBatch[number] = outcome }
        }
        if thread == nil {
            thread = ThreadExecutor(name: "snapshot-lines")
            thread?.start {}
        }
        thread?.enqueue {
            let outcome = Self.read(batch, after: number * Self.batchSize, town)
            outcomes.state.withLock { state in
                state.byBatch[number] = outcome
                state.waiting -= 1
            }
        }
    }

    private static func read(_ lines: Batch, after count: Int, _ town: Town) -> Outcome {
        var outcome = Outcome()
        outcome.records.reserveCapacity(lines.count)
        // Looked up once per batch, because two threads that read one tree would contend for its reference counts.
        var categoryIDs: [Slug: Int] = [:]
        for index in 0..<lines.count {
            do {
                var reader = JSONReader(lines[index], limits: .trusted)
                let business = try Business(stored: &reader)
                try reader.finish()
                outcome.sequences.record(business)
                let categoryID = try business.category.map { slug in
                    if let id = categoryIDs[slug] { return id }
                    let id = try town.categoryID(of: slug)
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
