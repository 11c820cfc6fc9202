import Foundation
import TestSupport
import Testing

/// An app can depend on the package.
@Suite struct PackageTests {
    private static let manifest = ProjectFolder.file("Package.swift")

    /// Releases of SwiftPM refuse a version with unsafe flags.
    @Test(arguments: [("checkouts/sooke", false), ("sooke", true)])
    func hasUnsafeFlagsOnlyAsTheRoot(place: String, isRoot: Bool) throws {
        let text = try Self.dump(at: place)
        #expect(text.contains(#""SookeClient""#) && text.contains("unsafeFlags") == isRoot)
    }

    private struct Package: Decodable {
        struct Named: Decodable { let name: String }
        struct Target: Decodable {
            struct Dependency: Decodable { let byName: [String?] }
            let name: String
            let dependencies: [Dependency]
        }
        let products: [Named]
        let targets: [Target]
    }

    /// On Apple's systems there is nothing that is for Linux, and nothing depends on it.
    @Test func onAppleItIsTheLibraryWithItsExampleAndTests() throws {
        let text = try Self.dump(at: "sooke") { $0.replacing("os(Linux)", with: "os(Windows)") }
        let package = try JSONDecoder().decode(Package.self, from: Data(text.utf8))
        let targets = Set(package.targets.map(\.name))
        #expect(package.products.map(\.name) == ["SookeClient"])
        let all = "Bytes ClientExample ClientTestSupport JSON SookeClient SookeClientTests SookeModel"
        #expect(targets.sorted().joined(separator: " ") == all)
        for target in package.targets {
            #expect(targets.isSuperset(of: target.dependencies.compactMap { $0.byName[0] }), "\(target.name)")
        }
    }

    /// The manifest at a path, changed, as SwiftPM evaluates it.
    private static func dump(at place: String, _ change: (String) -> String = { $0 }) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sooke-manifest-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let package = folder.appending(path: place)
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        let text = change(try String(contentsOf: manifest, encoding: .utf8))
        try text.write(to: package.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        let process = try ChildProcess(
            "/usr/bin/env", ["swift", "package", "--package-path", package.path, "dump-package"])
        return try process.succeed()
    }
}
