import Foundation

/// The folder of the project, for tests that read its sources, its data or cases of other tests.
public enum ProjectFolder {
    private static let url = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// A file or folder by its path from there.
    public static func file(_ path: String) -> URL { url.appending(path: path) }
}
