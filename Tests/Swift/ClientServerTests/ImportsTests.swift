import Foundation
import TestSupport
import Testing

/// The library builds for iOS 17, macOS 14 and Linux: it imports nothing, and names no type, that is not there.
@Suite struct ImportsTests {
    private static let sources = ProjectFolder.file("Sources")

    /// What is only in later systems, outside of what `#if canImport(Darwin)` and `#if canImport(FoundationNetworking)`
    /// leave to others.
    private static let later: Set = [
        "Atomic", "Int128", "InlineArray", "Mutex", "Observations", "Synchronization", "UInt128", "UTF8Span",
    ]

    /// What may only be imported where it is, and where that is.
    private static let places = [
        "FoundationNetworking": "FoundationNetworking", "Synchronization": "FoundationNetworking",
        "CoreLocation": "CoreLocation",
    ]

    /// The targets that an app links, and what each may import.
    @Test(arguments: [
        ("Bytes", ""), ("JSON", "Bytes"), ("SookeModel", "JSON Bytes Swift Foundation"),
        (
            "SookeClient",
            "CoreLocation Foundation FoundationNetworking Observation Synchronization SookeModel JSON Bytes"
        ),
    ])
    func onlyWhatAppsHave(target: String, allowed: String) throws {
        let folder = Self.sources.appending(path: target)
        let names = try #require(FileManager.default.enumerator(atPath: folder.path))
        let modules = Set(allowed.split(separator: " ").map(String.init))
        var count = 0
        for case let name as String in names where name.hasSuffix(".swift") && !name.hasPrefix("Example/") {
            count += 1
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for problem in Self.problems(in: text, allowed: modules) { Issue.record("\(target)/\(name): \(problem)") }
        }
        #expect(count > 5)
    }

    private static func problems(in text: String, allowed: Set<String>) -> [String] {
        var problems: Set<String> = []
        var conditions: [String] = []
        for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) where !line.hasPrefix("//") {
            if line.hasPrefix("#if ") { conditions.append(String(line)) }
            if line.hasPrefix("#else"), let last = conditions.popLast() { conditions.append("not \(last)") }
            if line.hasPrefix("#endif") { conditions.removeLast() }
            let words = line.split(separator: " ")
            if let place = words.firstIndex(of: "import"), words[..<place].allSatisfy({ $0.hasPrefix("@") }) {
                let module = String(words[place + 1])
                let isThere = Self.places[module].map { conditions.contains("#if canImport(\($0))") } ?? true
                if !isThere || !allowed.contains(module) { problems.insert("imports \(module)") }
            }
            let others = ["not #if canImport(Darwin)", "#if canImport(FoundationNetworking)"]
            if others.contains(where: conditions.contains) { continue }
            let names = line.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            for name in names where later.contains(name) { problems.insert("uses \(name)") }
        }
        return problems.sorted()
    }

    /// What an app sees beside this library by importing SwiftUI, with names that a library for a town might use, too.
    private static let namesOfApple = Set(
        """
        Action Alert Alignment Angle Animation Anchor App Axis Badge Binding Button Calendar Canvas Category Circle Color \
        Commands Data Date Divider Edge Environment Event Font Form Gauge Gesture Grid Group Host Image Label Layout \
        Link List Locale Map Marker Material Menu Measurement Message Method Notification Operation Path Picker Port \
        Progress Scene Section Settings Shape Slider Spacer State Stepper Style Tab Table Text Theme Thread TimeZone \
        Timer Toggle Transaction Transition Unit View Visibility Window
        """.split(separator: " ").map(String.init))

    /// A name that Apple's frameworks have, too, is ambiguous in an app: the README says what to write.
    @Test func sharesNoNamesWithApple() throws {
        let folder = Self.sources.appending(path: "SookeClient")
        let names = try #require(FileManager.default.enumerator(atPath: folder.path))
        var declared: Set<String> = []
        for case let name as String in names where name.hasSuffix(".swift") && !name.hasPrefix("Example/") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let types = text.matches(of: /(?m)^public [a-z ]*(?:struct|enum|class|protocol|typealias|actor) (\w+)/)
            declared.formUnion(types.map { String($0.1) })
        }
        let readme = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        let explained = readme.matches(of: /(?m)^typealias (\w+) = SookeClient\./).map { String($0.1) }
        #expect(declared.count > 60)
        #expect(declared.intersection(Self.namesOfApple).sorted() == explained.sorted())
    }
}
