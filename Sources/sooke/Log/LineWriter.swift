import Bytes
import Platform
import Synchronization

/// Writes lines without letting who brings them wait for a disk or a reader.
///
/// `append` only appends to a buffer. A thread writes what has gathered at most 100 ms later, in one call. When nobody
/// takes the lines, the buffer stops growing at 1 MiB and further lines are counted instead; when the reader has gone
/// away, the writer is silent from then on.
final class LineWriter<Format: Sendable>: Sendable {
    private struct State {
        var format: Format
        var buffer: [UInt8] = []
        var dropped = 0
        var isClosed = false
        var isBroken = false
    }

    /// The most that may wait to be written, in bytes.
    static var bufferLimit: Int { 1 << 20 }
    /// So much is written without waiting for more.
    private static var batchSize: Int { 64 << 10 }

    private let state: Mutex<State>
    /// Held while lines are on their way, so that they stay in order.
    private let writing = Mutex(())
    private let write: @Sendable ([UInt8]) throws(SystemError) -> Void
    private let appendDropped: @Sendable (Int, inout Format, inout [UInt8]) -> Void
    private let wakeup: Wakeup
    private let finished: Wakeup

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - format: makes lines.
    ///   - write: takes whole lines, one call after the other.
    ///   - dropped: appends a line that tells how many were left out.
    init(
        _ format: Format, write: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void,
        dropped: @escaping @Sendable (Int, inout Format, inout [UInt8]) -> Void
    ) throws(SystemError) {
        state = Mutex(State(format: format))
        self.write = write
        appendDropped = dropped
        wakeup = try Wakeup()
        finished = try Wakeup()
        try Thread.start { [self] in
            run()
            finished.signal()
        }
    }

    /// Takes a line, which the body appends to the bytes. Never waits.
    func append(_ body: (inout Format, inout [UInt8]) -> Void) {
        let mustWake = state.withLock { state in
            if state.isBroken || state.isClosed { return false }
            let before = state.buffer.count
            guard before < Self.bufferLimit else {
                state.dropped += 1
                return false
            }
            body(&state.format, &state.buffer)
            return before == 0 || (before < Self.batchSize && state.buffer.count >= Self.batchSize)
        }
        if mustWake { wakeup.signal() }
    }

    /// Writes what has gathered, on the thread of the caller.
    func flush() {
        var batch: [UInt8] = []
        _ = writeBatch(&batch)
    }

    /// Writes what is left. Returns when it is written, or after two seconds when nobody takes it.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeup.signal()
        _ = finished.wait(milliseconds: 2000)
    }

    private func run() {
        var batch: [UInt8] = []
        while true {
            _ = wakeup.wait(milliseconds: -1)
            wakeup.clear()
            let isFull = state.withLock { $0.isClosed || $0.buffer.count >= Self.batchSize }
            if !isFull, wakeup.wait(milliseconds: 100) { wakeup.clear() }
            if writeBatch(&batch) { return }
        }
    }

    /// Writes what has gathered; returns whether nothing will follow.
    private func writeBatch(_ batch: inout [UInt8]) -> Bool {
        writing.withLock { _ in
            let isClosed = take(&batch)
            guard !batch.isEmpty else { return isClosed }
            do throws(SystemError) {
                try write(batch)
            } catch {
                lose(batch, after: error)
            }
            return isClosed
        }
    }

    /// A reader that is gone does not come back; a full disk may have room again.
    private func lose(_ batch: [UInt8], after error: SystemError) {
        let lines = batch.count { $0 == ASCII.lineFeed }
        state.withLock { state in
            state.dropped += lines
            state.isBroken = error.isBrokenPipe
        }
    }

    /// Takes what has gathered, and leaves the emptied batch in its place; returns whether nothing will follow.
    private func take(_ batch: inout [UInt8]) -> Bool {
        batch.removeAll(keepingCapacity: true)
        return state.withLock { state in
            swap(&state.buffer, &batch)
            if state.dropped > 0 {
                appendDropped(state.dropped, &state.format, &batch)
                state.dropped = 0
            }
            return state.isClosed
        }
    }
}
