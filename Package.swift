// swift-tools-version: 6.2
import PackageDescription

/// Whether another package depends on this one: releases of SwiftPM refuse unsafe flags there.
let isDependency = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"

// Without it every target links the parser of regular expressions: a tenth of the executable.
let withoutParser = SwiftSetting.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])

/// Functions are sections that the linker can merge. Of debug information a crash report needs only names and lines,
/// which are kept beside the binary.
let forRelease = SwiftSetting.unsafeFlags(
    ["-Xfrontend", "-gline-tables-only", "-Xfrontend", "-function-sections"], .when(configuration: .release))

let strict =
    [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)] + (isDependency ? [] : [withoutParser, forRelease])

/// For what is not on the path of most requests, or not slower for it as measured: commands, files, pages, passwords.
let small: [SwiftSetting] = isDependency ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// The release binary has no symbols; `.ci/symbols` links it with them too, at the same addresses.
let strip = Context.environment["SOOKE_SYMBOLS"] == nil ? ["-Xlinker", "-s"] : []

/// A target under `Sources/`, held to the strict settings every target shares.
func part(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], optimizing: [SwiftSetting] = []
) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict + optimizing)
}

/// The test suite of one part.
func suite(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "TestSupport"] + dependencies,
        path: "Tests/Swift/\(name)Tests",
        swiftSettings: strict)
}

/// The example of the client; on Linux with stubs of SwiftUI and MapKit, so that its calls are compiled by the tests.
#if os(Linux)
    let stubs: [Target] = ["SwiftUI", "MapKit"].map { name in
        .target(name: name, dependencies: name == "MapKit" ? ["SwiftUI"] : [], path: "Tests/Swift/\(name)")
    }
#else
    let stubs: [Target] = []
#endif
let example = Target.executableTarget(
    name: "ClientExample", dependencies: ["SookeClient"] + stubs.map { .init(stringLiteral: $0.name) },
    path: "Sources/SookeClient/Example", exclude: ["README.md"], swiftSettings: strict)

let package = Package(
    name: "sooke",
    // Of the library for apps, whose tests use locks and observations of later systems; the server runs on Linux.
    platforms: [.iOS(.v17), Context.environment["SOOKE_TESTS"] == nil ? .macOS(.v14) : .macOS(.v26)],
    products: [
        .executable(name: "sooke", targets: ["sooke"]),
        .executable(name: "sooke-browse", targets: ["sooke-browse"]),
        .library(name: "SookeClient", targets: ["SookeClient"]),
    ],
    targets: [
        // Lower parts never import upper ones; each wall is a target so that it can be proved.
        .target(
            name: "CSystem",
            linkerSettings: [.linkedLibrary("crypt", .when(platforms: [.linux])), .linkedLibrary("z")]),
        // Only the executable depends on it, because it changes with every commit.
        .target(name: "CBuild"),
        // Files that the binary contains: those of pages, of units, of scripts for Postgres, and of the demo in `data`.
        .target(name: "CFiles"),
        part("Platform", ["CSystem"]),
        part("Bytes"),
        part("Limits", ["Bytes"]),
        part("JSON", ["Bytes"]),
        part("SookeModel", ["JSON", "Bytes"]),
        part("Journal", ["Bytes", "Platform"], exclude: ["README.md"], optimizing: small),
        part("Store", ["SookeModel", "JSON", "Journal", "Bytes", "Platform"]),
        part("HTTP", ["Limits", "Bytes", "Platform"]),
        // JSON only for the lines of the audit.
        part(
            "Service", ["Store", "SookeModel", "JSON", "Limits", "Bytes", "Platform", "CFiles"],
            exclude: ["Credentials/passwords.txt", "Mail/mails.txt"], optimizing: small),
        part(
            "Dispatcher", ["HTTP", "Service", "Store", "SookeModel", "Limits", "Bytes", "Platform"],
            optimizing: small),
        part(
            "API",
            [
                "Dispatcher", "HTTP", "Service", "Exchange", "Store", "Journal", "SookeModel", "JSON", "Bytes",
                "Platform",
            ], exclude: ["README.md", "Businesses/README.md", "Events/README.md", "Feed/README.md"]),
        part(
            "Site", ["Dispatcher", "HTTP", "Service", "Exchange", "Store", "SookeModel", "JSON", "Bytes", "CFiles"],
            exclude: ["Assets/site.css", "Assets/page.js", "Assets/forms.js", "Admin/countries.txt"],
            optimizing: small),
        part(
            "Exchange", ["Store", "SookeModel", "JSON", "Bytes", "CFiles", "Platform"],
            exclude: [
                "Postgres/README.md", "Postgres/tables.sql", "Postgres/prepare.sql", "Postgres/follow.sql",
                "Calendar/zones.txt",
            ],
            optimizing: small),
        part("ViewTree"),
        // For apps: it imports Foundation, so the server must not depend on it.
        part("SookeClient", ["SookeModel", "JSON", "Bytes"], exclude: ["README.md", "Example"]),
        .executableTarget(
            name: "sooke",
            dependencies: [
                "API", "Site", "Dispatcher", "Service", "Exchange", "HTTP", "Store", "Journal", "SookeModel", "JSON",
                "Bytes", "Platform", "CBuild", "CFiles",
            ],
            exclude: [
                "README.md", "Backup/README.md", "Serving/README.md", "Unit/sooke.service",
                "Unit/sooke-backup.service", "Unit/sooke-backup.timer", "Unit/sooke-outside.service", "Unit/reach.conf",
                "CommandLine/completion.bash", "CommandLine/completion.zsh",
            ], swiftSettings: strict + small,
            // One file to copy: the release binary needs no shared library at all.
            linkerSettings: isDependency
                ? []
                : [
                    .unsafeFlags(
                        ["-static-executable", "-Xlinker", "--icf=all"] + strip,
                        .when(platforms: [.linux], configuration: .release))
                ]),
        .executableTarget(
            name: "sooke-browse", dependencies: ["SookeClient", "ViewTree", "Platform", "CBuild"],
            swiftSettings: strict),
        example,
        .target(
            name: "TestSupport", dependencies: ["Journal", "HTTP", "Bytes", "CSystem"],
            path: "Tests/Swift/TestSupport", swiftSettings: strict),
        suite("Platform", ["Bytes"]),
        suite("Bytes"),
        suite("Limits", ["Bytes"]),
        suite("JSON", ["Bytes"]),
        suite("SookeModel", ["JSON", "Bytes", "Platform"]),
        suite("Journal", ["Bytes"]),
        suite("Store", ["SookeModel", "JSON", "Journal", "Bytes"]),
        suite("HTTP", ["Bytes", "Platform"]),
        suite("Service", ["Store", "SookeModel", "Bytes", "Journal", "Limits", "Platform"]),
        suite("Dispatcher", ["HTTP", "Service", "Store", "SookeModel", "Bytes", "Platform"]),
        suite(
            "API",
            [
                "Dispatcher", "HTTP", "Service", "Exchange", "Store", "SookeModel", "JSON", "Bytes", "Journal",
                "Limits", "Platform",
            ]),
        suite("Exchange", ["Store", "SookeModel", "JSON", "Bytes", "Journal", "Platform"]),
        // The API too: its addresses and those of the pages share one router.
        suite("Site", ["API", "Dispatcher", "HTTP", "Service", "Store", "SookeModel", "JSON", "Bytes", "Platform"]),
        suite("ViewTree"),
        // The client alone, also on Apple's systems.
        .target(
            name: "ClientTestSupport", dependencies: ["SookeClient"], path: "Tests/Swift/ClientTestSupport",
            swiftSettings: strict),
        .testTarget(
            name: "SookeClientTests", dependencies: ["SookeClient", "SookeModel", "Bytes", "ClientTestSupport"],
            path: "Tests/Swift/SookeClientTests", swiftSettings: strict),
        // A client and a whole server, without the executable.
        .testTarget(
            name: "ClientServerTests",
            dependencies: [
                "SookeClient", "ClientExample", "ClientTestSupport", "sooke-browse", "API", "Dispatcher", "Exchange",
                "Service", "HTTP", "Store", "SookeModel", "Journal", "Platform", "Bytes", "TestSupport",
            ],
            path: "Tests/Swift/ClientServerTests", swiftSettings: strict),
        .testTarget(
            name: "BrowseTests", dependencies: ["sooke-browse", "ViewTree", "Platform"],
            path: "Tests/Swift/BrowseTests", swiftSettings: strict),
        .testTarget(
            name: "SookeTests",
            dependencies: [
                "sooke", "Site", "Dispatcher", "Exchange", "Service", "HTTP", "Store", "Journal", "SookeModel", "JSON",
                "Bytes", "Platform", "TestSupport",
            ],
            path: "Tests/Swift/SookeTests", swiftSettings: strict),
    ] + stubs
)

// On Apple's systems the package is the library for apps, its example and the tests that need no server.
#if !os(Linux)
    let forApps: Set = [
        "Bytes", "JSON", "SookeModel", "SookeClient", "ClientExample", "ClientTestSupport", "SookeClientTests",
    ]
    package.targets.removeAll { !forApps.contains($0.name) }
    package.products.removeAll { $0.name != "SookeClient" }
#endif
