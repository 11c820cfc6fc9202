import Foundation

/// A folder that is removed when nobody needs it any more.
final class TestFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "sooke-api-\(UUID().uuidString)").path

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
