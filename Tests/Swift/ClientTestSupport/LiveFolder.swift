import Foundation

/// A folder that is removed with its owner.
final class LiveFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "sooke-client-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of the files, sorted.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: url.path).sorted()) ?? [] }
}
