import Bytes
import Platform
import SookeModel

/// Files that people have sent to be imported, below `uploads/` of the data folder: until they are imported, for a day,
/// or until the next start. They are no part of the town, so that no copy or backup has them.
package struct Uploads: Sendable {
    package enum Part: String, Sendable {
        case files
        /// Of the import, once it is done.
        case result
        /// Why it is not done. The files of one that a stop has cut off are still there after it.
        case problem
    }

    private let path: String

    private static let folder = "uploads"
    private static let lifetime = 86_400
    /// The oldest go when there are more.
    private static let most = 40
    /// What the log and its snapshots may need meanwhile.
    private static let leastFree = 64 << 20

    init(in folder: String) { path = "\(folder)/\(Self.folder)" }

    /// Removes what an earlier process left but for imports that it began, then hourly what is older than a day.
    package func keepClean() {
        prune(to: 0)
        Task.detached { [self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(3600))
                prune(to: Self.most)
            }
        }
    }

    /// A new one of a person, which nobody else finds.
    package static func newID() -> String {
        (0..<2).map { _ in Hex.text(of: UInt64.random(in: .min ... .max)) }.joined()
    }

    /// Stores it whole, or not at all.
    package func store(_ part: Part, _ pieces: [[UInt8]], _ id: String, of person: Int) throws(ServiceError) {
        let size = pieces.reduce(0) { $0 + $1.count }
        do throws(SystemError) {
            let parent = FileDescriptor.workingFolder
            if !parent.exists(path) { try parent.createFolder(path) }
            guard FileDescriptor.freeBytes(at: path) ?? .max >= size + Self.leastFree else { throw .noSpace }
            prune(to: Self.most)
            let (name, draft) = (name(part, id, person), name(part, id, person) + ".new")
            let file = try OwnedDescriptor.open(draft, [.write, .create, .truncate])
            for piece in pieces { try file.descriptor.write(piece) }
            try parent.rename(draft, to: name)
        } catch {
            throw error.isNoSpace ? .diskFull : .internalError
        }
    }

    /// Nil for one that is not there, or another person's.
    package func read(_ part: Part, _ id: String, of person: Int) -> [UInt8]? {
        guard id.utf8.count == 32, id.utf8.allSatisfy({ ASCII.isDigit($0) || ASCII.isLetter($0) }) else { return nil }
        guard let file = try? OwnedDescriptor.open(name(part, id, person), .read),
            let length = file.descriptor.regularFileLength
        else { return nil }
        return try? file.descriptor.read(at: 0, count: length)
    }

    package func remove(_ part: Part, _ id: String, of person: Int) {
        try? FileDescriptor.workingFolder.remove(name(part, id, person))
    }

    private func name(_ part: Part, _ id: String, _ person: Int) -> String {
        "\(path)/\(person)-\(id).\(part.rawValue)"
    }

    private func prune(to count: Int) {
        let folder = FileDescriptor.workingFolder
        let files = ((try? folder.names(in: path)) ?? []).map { "\(path)/\($0)" }.compactMap { file in
            (try? folder.status(of: file)).map { (file, $0) }
        }.sorted { $0.1.modified > $1.1.modified }
        let cutOff = files.map(\.0).filter { $0.hasSuffix(".\(Part.problem)") }.map { $0.dropLast("problem".count) }
        for (index, file) in files.enumerated() {
            let isKept = index < count || count == 0 && cutOff.contains { file.0.hasPrefix($0) }
            if !isKept || file.1.age > Self.lifetime { try? folder.remove(file.0) }
        }
    }
}
