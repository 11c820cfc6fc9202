import Bytes
import HTTP
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes a line for each answered request, without letting a request wait for whoever reads them.
///
/// `record` only appends to a buffer. A thread writes what has gathered at most 100 ms later, in one call. When nobody
/// takes the lines, the buffer stops growing at 1 MiB and further lines are counted instead; when the reader has gone
/// away, the log is silent from then on.
final class AccessLog: Sendable {
    private struct State {
        var line: AccessLine
        var buffer: [UInt8] = []
        var dropped = 0
        var isClosed = false
        var isBroken = false
    }

    /// The most that may wait to be written, in bytes.
    static let bufferLimit = 1 << 20
    /// So much is written without waiting for more.
    private static let batchSize = 64 << 10

    private let state: Mutex<State>
    private let output: FileDescriptor
    private let clock: TimeSource
    private let wakeup: Pipe
    private let finished: Pipe

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - format: how the lines look; not `off`.
    ///   - output: where they go.
    init(_ format: LogFormat, to output: FileDescriptor, clock: TimeSource = .system) throws(SystemError) {
        state = Mutex(State(line: AccessLine(format)))
        self.output = output
        self.clock = clock
        wakeup = try Pipe()
        finished = try Pipe()
        try Thread.start { [self] in
            run()
            finished.signal()
        }
    }

    /// Takes the line of an answered request. Never waits.
    func record(_ record: AccessRecord) {
        let moment = clock.wall()
        let mustWake = state.withLock { state in
            if state.isBroken || state.isClosed { return false }
            let before = state.buffer.count
            guard before < Self.bufferLimit else {
                state.dropped += 1
                return false
            }
            state.line.append(record, at: moment, to: &state.buffer)
            return before == 0 || (before < Self.batchSize && state.buffer.count >= Self.batchSize)
        }
        if mustWake { wakeup.signal() }
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
            let isClosed = take(&batch)
            do {
                try output.write(batch)
            } catch {
                lose(batch, after: error)
            }
            if isClosed { return }
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
                state.line.append(dropped: state.dropped, at: clock.wall(), to: &batch)
                state.dropped = 0
            }
            return state.isClosed
        }
    }
}
