import Bytes
import Foundation

/// A file that survives a restart: the replica of a town, or a draft.
///
/// The first line says to whom the content belongs, and has its checksum. The file is replaced as a whole.
struct SavedFile<Content: SavedContent>: Sendable {
    private struct Header: Codable {
        let key: [String]
        let crc32c: UInt32
    }

    let url: URL
    private let key: [String]

    fileprivate init(_ url: URL, key: [String]) {
        (self.url, self.key) = (url, key)
    }

    /// A damaged file is renamed. Nil if there is no content, or it belongs to others.
    func load() throws(SavedFileProblem) -> Content? {
        let bytes: [UInt8]
        do {
            guard FileManager.default.fileExists(atPath: url.path) else { return nil }
            bytes = Array(try Data(contentsOf: url))
        } catch {
            throw .unreadable(url, error)
        }
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let body = Array(bytes[end...].dropFirst())
        guard let header = try? JSONDecoder().decode(Header.self, from: Data(bytes[..<end])) else {
            throw .damaged(url, setAside: setAside())
        }
        guard header.key == key else { return nil }
        guard CRC32C.checksum(body) == header.crc32c, let content = try? Content(json: body) else {
            throw .damaged(url, setAside: setAside())
        }
        return content
    }

    /// Replaces the content: after a crash the file is the old one or the new one.
    func save(_ content: Content) throws(SavedFileProblem) {
        do {
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let body = try content.json
            let header = try JSONEncoder().encode(Header(key: key, crc32c: CRC32C.checksum(body)))
            try (header + [UInt8(ascii: "\n")] + body).write(to: url, options: .atomic)
        } catch {
            throw .notWritten(url, error)
        }
    }

    func remove() throws(SavedFileProblem) {
        do {
            if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
        } catch {
            throw .notWritten(url, error)
        }
    }

    private func setAside() -> URL? {
        var number = 1
        var aside = url.appendingPathExtension("damaged")
        while FileManager.default.fileExists(atPath: aside.path) {
            number += 1
            aside = url.appendingPathExtension("damaged-\(number)")
        }
        return (try? FileManager.default.moveItem(at: url, to: aside)) == nil ? nil : aside
    }
}

protocol SavedContent: Sendable {
    init(json: [UInt8]) throws

    var json: [UInt8] { get throws }
}

typealias ReplicaFile = SavedFile<TownReplica>

extension ReplicaFile {
    /// - Parameter account: identifies the account of the client, whose rights decide which records there are; a digest
    ///   of the token if it is nil.
    init(_ url: URL, for client: APIClient, account: String? = nil) {
        let account = account ?? client.token.map { String(XXH64.digest(Array($0.utf8).span), radix: 16) } ?? ""
        self.init(url, key: ["town", client.baseURL, account])
    }
}

extension SavedFile {
    /// The file for the draft of a record, in a folder that need not exist.
    init<Field>(draftOf slug: String, in folder: URL, for client: APIClient) where Content == Edit<Field> {
        let key = [client.baseURL, Field.Model.kind.name, slug]
        // A slug may be longer than the name of a file.
        var digits: [UInt8] = []
        digits.append(hex: XXH64.digest(Array(key.joined(separator: "\n").utf8).span))
        let name = "draft-\(String(decoding: digits, as: UTF8.self)).json"
        self.init(folder.appendingPathComponent(name), key: key)
    }
}

/// What is wrong with a `SavedFile`. It does not prevent a start: the app begins without the content.
public enum SavedFileProblem: Error, Sendable {
    /// The file was damaged, and has another name now; nil if it could not be renamed.
    case damaged(URL, setAside: URL?)
    /// The file could not be read.
    case unreadable(URL, any Error)
    /// The file could not be written or removed.
    case notWritten(URL, any Error)
}

extension SavedFileProblem: LocalizedError {
    /// A message.
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
    private let report: @MainActor @Sendable (SavedFileProblem) -> Void
    private var unsaved: TownReplica?
    private var timer: Task<Void, Never>?

    init(
        _ file: ReplicaFile, clock: any Clock<Duration>,
        report: @escaping @MainActor @Sendable (SavedFileProblem) -> Void
    ) {
        (self.file, self.clock, self.report) = (file, clock, report)
    }

    func save(_ replica: TownReplica) {
        unsaved = replica
        guard timer == nil else { return }
        timer = Task {
            guard (try? await clock.sleep(for: Self.pause)) != nil else { return }
            timer = nil
            await write()
        }
    }

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
