import API
import Bytes
import HTTP
import Platform
import Synchronization

/// Facts about this process, for status and metrics. Its times are those of the system, even if the clock of the town
/// is fixed.
final class ServingProcess: Sendable {
    private let startedAt = TimeSource.system.wall()
    private let start = TimeSource.system.monotonic()
    private let folder: String
    private let connections = Mutex<(@Sendable () -> Int?)?>(nil)

    init(_ folder: String) {
        self.folder = folder
    }

    func follow(_ server: Server) {
        connections.withLock { $0 = { [weak server] in server?.connectionCount } }
    }

    var facts: ProcessFacts {
        ProcessFacts(
            startedAt: startedAt, uptimeSeconds: (TimeSource.system.monotonic() - start) / 1_000_000_000,
            residentBytes: Self.residentBytes, connections: connections.withLock(\.self)?(),
            version: BuildInfo.version, commit: BuildInfo.commit, freeBytes: FileDescriptor.freeBytes(at: folder))
    }

    /// The resident memory of this process (proc_pid_statm(5)); nil when it is unknown.
    private static var residentBytes: Int? {
        guard let file = try? OwnedDescriptor.open("/proc/self/statm", .read),
            let text = try? file.descriptor.read(upTo: 256)
        else { return nil }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Machine.pageSize
    }
}
