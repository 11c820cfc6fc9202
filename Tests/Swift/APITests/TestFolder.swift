import Foundation

/// A folder that is removed with its last reference.
final class TestFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "sooke-api-\(UUID().uuidString)").path

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
