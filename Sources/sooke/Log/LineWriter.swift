import Bytes
import HTTP
import JSON
import Platform
import Synchronization

/// Writes lines without blocking the caller on a disk or a reader.
///
/// `append` only appends to a buffer. A thread writes the buffer at most 100 ms later, in one call. When the reader is
/// too slow, the buffer stops growing at 1 MiB and further lines are counted instead; when the reader has gone away,
/// nothing more is written.
final class LineWriter: Sendable {
    private struct State {
        var buffer: [UInt8] = []
        var dropped = 0
        var isClosed = false
        var isBroken = false
    }

    static let bufferLimit = 1 << 20
    /// This many bytes are written without waiting for more.
    private static let batchSize = 64 << 10

    private let state = Mutex(State())
    /// Locked while lines are being written, so that they stay in order.
    private let writing = Mutex(())
    private let write: @Sendable ([UInt8]) throws(SystemError) -> Void
    private let appendDropped: @Sendable (Int, inout [UInt8]) -> Void
    private let wakeup: Wakeup
    private let finished: Wakeup

    init(
        write: @escaping @Sendable ([UInt8]) throws(SystemError) -> Void,
        dropped: @escaping @Sendable (Int, inout [UInt8]) -> Void
    ) throws(SystemError) {
        self.write = write
        appendDropped = dropped
        wakeup = try Wakeup()
        finished = try Wakeup()
        try Thread.start { [self] in
            run()
            finished.signal()
        }
    }

    /// Adds a line, which the body appends to the bytes. Never blocks.
    func append(_ body: (inout [UInt8]) -> Void) {
        let mustWake = state.withLock { state in
            if state.isBroken || state.isClosed { return false }
            let before = state.buffer.count
            guard before < Self.bufferLimit else {
                state.dropped += 1
                return false
            }
            body(&state.buffer)
            return before == 0 || (before < Self.batchSize && state.buffer.count >= Self.batchSize)
        }
        if mustWake { wakeup.signal() }
    }

    /// Writes the buffer, on the caller's thread.
    func flush() {
        var batch: [UInt8] = []
        _ = writeBatch(&batch)
    }

    /// Writes the remaining lines. Returns when they are written, or after two seconds without a reader.
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

    /// Writes the buffer; returns whether it was the last one.
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

    private func take(_ batch: inout [UInt8]) -> Bool {
        batch.removeAll(keepingCapacity: true)
        return state.withLock { state in
            swap(&state.buffer, &batch)
            if state.dropped > 0 {
                appendDropped(state.dropped, &batch)
                state.dropped = 0
            }
            return state.isClosed
        }
    }
}

/// A message of a server, as text or as a line of the log in JSON.
///
/// ```
/// sooke: the files in town are sound again
/// {"time":"2026-11-21T09:30:00.123456Z","level":"info","message":"the files in town are sound again"}
/// ```
struct LogMessage {
    enum Level: String {
        case info, warning, error
    }

    private let level: Level
    private let message: String
    private let members: (inout JSONWriter) -> Void

    init(_ level: Level, _ message: String, members: @escaping (inout JSONWriter) -> Void = { _ in }) {
        (self.level, self.message, self.members) = (level, message, members)
    }

    func text(isJSON: Bool) -> String {
        guard isJSON else { return "sooke: \(message)\n" }
        let line = JSONWriter.object { writer in
            writer.member("time", TimeSource.system.wall().rfc3339)
            writer.member("level", level.rawValue)
            writer.member("message", message)
            members(&writer)
        }
        return String(decoding: line, as: UTF8.self) + "\n"
    }
}
