import Bytes
import HTTP
import Platform

/// Writes a line for each request, with a `LineWriter`.
final class AccessLog: Sendable {
    private let lines: LineWriter<AccessLine>
    private let clock: TimeSource

    /// The maximum size of the buffer in bytes.
    static let bufferLimit = LineWriter<AccessLine>.bufferLimit

    /// Starts the writing thread.
    ///
    /// - Parameters:
    ///   - format: the format of the lines; not `off`.
    ///   - output: the destination.
    init(_ format: LogFormat, to output: FileDescriptor, clock: TimeSource = .system) throws(SystemError) {
        self.clock = clock
        lines = try LineWriter(AccessLine(format)) { batch throws(SystemError) in
            try output.write(batch)
        } dropped: { count, line, bytes in
            line.append(dropped: count, at: clock.wall(), to: &bytes)
        }
    }

    /// Adds the line of a request. Never blocks.
    func record(_ record: AccessRecord) {
        let moment = clock.wall()
        lines.append { line, bytes in line.append(record, at: moment, to: &bytes) }
    }

    /// Writes the remaining lines. Returns when they are written, or after two seconds without a reader.
    func close() {
        lines.close()
    }
}
