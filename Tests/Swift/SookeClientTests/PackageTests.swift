import Foundation
import TestSupport
import Testing

/// An app can depend on a version of the package: releases of SwiftPM refuse a version with unsafe flags.
@Suite struct PackageTests {
    private static let manifest = ProjectFolder.file("Package.swift")

    @Test(arguments: [("checkouts/sooke", false), ("sooke", true)])
    func hasUnsafeFlagsOnlyAsTheRoot(place: String, isRoot: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sooke-manifest-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let package = folder.appending(path: place)
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.manifest, to: package.appending(path: "Package.swift"))
        let process = try ChildProcess(
            "/usr/bin/env", ["swift", "package", "--package-path", package.path, "dump-package"])
        let text = try process.succeed()
        #expect(text.contains(#""SookeClient""#) && text.contains("unsafeFlags") == isRoot)
    }
}
