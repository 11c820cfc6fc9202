import API
import Bytes
import HTTP
import JSON

/// The audit in a data folder: `audit.log`, a JSON object a line, for its owner alone.
///
/// Lines are not synced one by one: what a power cut takes are the last seconds. At 8 MB the file becomes
/// `audit.log.1`, in the place of the one before it. It is made with the first line.
final class AuditLog: AuditTrail {
    private let file: RotatedFile
    private let lines: LineWriter<Void>

    /// So large does the file become, in bytes.
    static let sizeLimit = 8_000_000

    /// Starts the thread that writes.
    ///
    /// - Parameters:
    ///   - folder: the data folder.
    ///   - sizeLimit: so large does the file become, in bytes.
    init(in folder: String, clock: TimeSource = .system, sizeLimit: Int = sizeLimit) throws(SystemError) {
        let file = RotatedFile(path: "\(folder)/audit.log", sizeLimit: sizeLimit)
        self.file = file
        lines = try LineWriter(()) { batch throws(SystemError) in
            try file.append(batch)
        } dropped: { count, _, bytes in
            bytes.append(utf8: #"{"at":"\#(clock.wall().rfc3339)","action":"dropped","count":\#(count)}"#)
            bytes.append(ASCII.lineFeed)
        }
    }

    /// Keeps an entry. Never waits.
    func note(_ entry: AuditEntry) {
        note(entry.line)
    }

    func note(_ line: [UInt8]) {
        lines.append { _, bytes in bytes += line }
    }

    func flush() {
        lines.flush()
    }

    /// The newest entries of both files, the newest first. A line that a crash tore is passed over.
    func newest(_ limit: Int) throws(SystemError) -> [[UInt8]] {
        lines.flush()
        var found: [[UInt8]] = []
        for path in [file.path, file.olderPath] where found.count < limit {
            var rest = try RotatedFile.contents(path)[...]
            while found.count < limit, let end = rest.lastIndex(of: ASCII.lineFeed) {
                rest = rest[..<end]
                let start = rest.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? rest.startIndex
                let line = Array(rest[start...])
                if Self.isWhole(line) { found.append(line) }
            }
        }
        return found
    }

    /// Writes what is left.
    func close() {
        lines.close()
    }

    private static func isWhole(_ line: [UInt8]) -> Bool {
        var reader = JSONReader(line)
        do throws(JSONError) {
            guard try reader.peek() == .object else { return false }
            try reader.skipValue()
            try reader.finish()
            return true
        } catch {
            return false
        }
    }
}
