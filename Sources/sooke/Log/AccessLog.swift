import Bytes
import HTTP
import Platform

/// Writes a line for each answered request, as `LineWriter` does.
final class AccessLog: Sendable {
    private let lines: LineWriter<AccessLine>
    private let clock: TimeSource

    /// The most that may wait to be written, in bytes.
    static let bufferLimit = LineWriter<AccessLine>.bufferLimit

    /// Starts the thread that writes.
    ///
    /// - Parameters:
    ///   - format: how the lines look; not `off`.
    ///   - output: where they go.
    init(_ format: LogFormat, to output: FileDescriptor, clock: TimeSource = .system) throws(SystemError) {
        self.clock = clock
        lines = try LineWriter(AccessLine(format)) { batch throws(SystemError) in
            try output.write(batch)
        } dropped: { count, line, bytes in
            line.append(dropped: count, at: clock.wall(), to: &bytes)
        }
    }

    /// Takes the line of an answered request. Never waits.
    func record(_ record: AccessRecord) {
        let moment = clock.wall()
        lines.append { line, bytes in line.append(record, at: moment, to: &bytes) }
    }

    /// Writes what is left. Returns when it is written, or after two seconds when nobody takes it.
    func close() {
        lines.close()
    }
}
