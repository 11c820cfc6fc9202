import Bytes
import Foundation
import SookeModel

/// The file in which the draft of one record survives a restart.
///
/// Its name is a digest of the server, the kind and the slug, which it repeats inside.
struct DraftFile<Field: DraftField>: Sendable {
    /// A draft that could not be read.
    struct Damaged: Error {
        /// The name of the file, in the same folder, to which it was renamed.
        let name: String
    }

    private struct Content: Codable {
        let key: [String]
        let edit: Edit<Field>
    }

    private let url: URL
    private let key: [String]

    /// The file of a record in a folder, which need not exist.
    init(in folder: URL, server: String, slug: String) {
        key = [server, Field.Model.kind.name, slug]
        // A slug may be longer than the name of a file.
        var digits: [UInt8] = []
        digits.append(hex: XXH64.digest(Array(key.joined(separator: "\n").utf8).span))
        url = folder.appendingPathComponent("draft-\(String(decoding: digits, as: UTF8.self)).json")
    }

    /// The draft; nil if there is none.
    ///
    /// - Throws: `Damaged`, and the file is set aside; errors of the file system.
    func load() throws -> Edit<Field>? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        let data = try Data(contentsOf: url)
        guard let content = try? JSONDecoder().decode(Content.self, from: data) else { throw try setAside() }
        return content.key == key ? content.edit : nil
    }

    /// Replaces the draft: after a crash the file is the old one or the new one.
    func save(_ edit: Edit<Field>) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try encoder.encode(Content(key: key, edit: edit)).write(to: url, options: .atomic)
    }

    /// Removes the draft, if there is one.
    func remove() throws {
        if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
    }

    /// Renames the file, so that nothing is lost, and nothing is in the way of the next draft.
    private func setAside() throws -> Damaged {
        var number = 1
        var aside = url.appendingPathExtension("damaged")
        while FileManager.default.fileExists(atPath: aside.path) {
            number += 1
            aside = url.appendingPathExtension("damaged-\(number)")
        }
        try FileManager.default.moveItem(at: url, to: aside)
        return Damaged(name: aside.lastPathComponent)
    }
}
