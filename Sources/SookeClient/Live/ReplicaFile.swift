import Bytes
import Foundation

/// The file in which a replica is saved with its position.
///
/// The first line has the format, the town and the account to which the records belong, and a checksum of the rest,
/// which is the replica in JSON. The file is replaced as a whole.
public struct ReplicaFile: Sendable {
    /// What is wrong with a file. It does not prevent a start: the replica begins empty.
    public enum Problem: Error, Sendable {
        /// The file was damaged, and has another name now; nil if it could not be renamed.
        case damaged(URL, setAside: URL?)
        /// The file could not be read.
        case unreadable(URL, any Error)
        /// The file could not be written.
        case notWritten(URL, any Error)
    }

    private struct Header: Codable {
        let format: Int
        let server: String
        let account: String
        let crc32c: UInt32
    }

    private static let format = 2

    /// Where the file is.
    public let url: URL
    private let server: String
    private let account: String

    /// The file for the town of a client.
    ///
    /// - Parameter account: identifies the account of the client, whose rights decide which records there are; a digest
    ///   of the token if it is nil.
    public init(_ url: URL, for client: APIClient, account: String? = nil) {
        self.url = url
        server = client.baseURL
        self.account = account ?? client.token.map { String(XXH64.digest(Array($0.utf8).span), radix: 16) } ?? ""
    }

    /// Reads the replica; nil if there is none of this town and account.
    ///
    /// - Throws: a damaged file is set aside.
    public func load() throws(Problem) -> TownReplica? {
        let bytes: [UInt8]
        do {
            guard FileManager.default.fileExists(atPath: url.path) else { return nil }
            bytes = Array(try Data(contentsOf: url))
        } catch {
            throw .unreadable(url, error)
        }
        do {
            let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
            let header = try JSONDecoder().decode(Header.self, from: Data(bytes[..<end]))
            guard header.format == Self.format, header.server == server, header.account == account else { return nil }
            let body = bytes[end...].dropFirst()
            if CRC32C.checksum(body) == header.crc32c {
                return try TownReplica(json: Array(body))
            }
        } catch {
            // Neither a header nor a replica.
        }
        throw .damaged(url, setAside: setAside())
    }

    /// Replaces the file.
    public func save(_ replica: TownReplica) throws(Problem) {
        do {
            let body = replica.json
            let header = Header(
                format: Self.format, server: server, account: account, crc32c: CRC32C.checksum(body))
            try replace(with: try JSONEncoder().encode(header) + [UInt8(ascii: "\n")] + body)
        } catch {
            throw .notWritten(url, error)
        }
    }

    /// Writes a file beside this one, waits until it is on stable storage, and renames it.
    private func replace(with data: Data) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let temporary = url.appendingPathExtension("new")
        try data.write(to: temporary)
        let handle = try FileHandle(forWritingTo: temporary)
        try handle.synchronize()
        try handle.close()
        // `replaceItemAt` fails on Linux.
        guard rename(temporary.path, url.path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    private func setAside() -> URL? {
        let other = url.appendingPathExtension("damaged")
        try? FileManager.default.removeItem(at: other)
        return (try? FileManager.default.moveItem(at: url, to: other)) == nil ? nil : other
    }
}

extension ReplicaFile.Problem: LocalizedError {
    /// A message for people.
    public var errorDescription: String? {
        switch self {
        case .damaged(let url, let other?):
            "The saved copy \(url.lastPathComponent) is damaged, and was renamed to \(other.lastPathComponent)."
        case .damaged(let url, nil): "The saved copy \(url.lastPathComponent) is damaged."
        case .unreadable(let url, let error):
            "The saved copy \(url.lastPathComponent) could not be read: \(error.localizedDescription)"
        case .notWritten(let url, let error):
            "The copy \(url.lastPathComponent) could not be saved: \(error.localizedDescription)"
        }
    }
}

/// Saves the newest replica, at most once a second.
actor ReplicaSaver {
    private static let pause = Duration.seconds(1)

    private let file: ReplicaFile
    private let clock: any Clock<Duration>
    private let report: @MainActor @Sendable (ReplicaFile.Problem) -> Void
    private var unsaved: TownReplica?
    private var timer: Task<Void, Never>?

    /// - Parameter report: receives why the file could not be written.
    init(
        _ file: ReplicaFile, clock: any Clock<Duration>,
        report: @escaping @MainActor @Sendable (ReplicaFile.Problem) -> Void
    ) {
        (self.file, self.clock, self.report) = (file, clock, report)
    }

    /// Saves a replica within a second, unless a newer one follows before.
    func save(_ replica: TownReplica) {
        unsaved = replica
        guard timer == nil else { return }
        timer = Task {
            guard (try? await clock.sleep(for: Self.pause)) != nil else { return }
            timer = nil
            await write()
        }
    }

    /// Saves the newest replica now.
    func finish() async {
        timer?.cancel()
        timer = nil
        await write()
    }

    private func write() async {
        guard let replica = unsaved else { return }
        unsaved = nil
        do {
            try file.save(replica)
        } catch {
            await report(error)
        }
    }
}
