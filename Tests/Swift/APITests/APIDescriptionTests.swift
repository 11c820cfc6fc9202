import Service
import Foundation
import HTTP
import SookeModel
import TestSupport
import Testing

@testable import API

/// The description of the API, as JSON and as a page.
@Suite struct APIDescriptionTests {
    private func object(_ value: Any?) -> [String: Any] { value as? [String: Any] ?? [:] }

    private func document(_ town: TestTown, at path: String) async throws -> [String: Any] {
        let response = try await town.send(.get, path)
        #expect(response.status == .ok)
        #expect(response.headers.first("Content-Type") == "application/json")
        return object(try JSONSerialization.jsonObject(with: Data(response.body)))
    }

    @Test(arguments: ["/openapi.json", "/api/v1/openapi.json"])
    func everyRouteIsDescribed(path: String) async throws {
        let town = try await TestTown()
        let document = try await document(town, at: path)
        #expect(document["openapi"] as? String == "3.1.0")
        let paths = object(document["paths"])
        var operations: Set<String> = []
        for (method, pattern, route) in town.routes {
            let operation = object(object(paths[pattern])["\(method.name)".lowercased()])
            #expect(operation["summary"] as? String == route.summary, "\(method.name) \(pattern)")
            #expect(operations.insert(operation["operationId"] as? String ?? "").inserted)
            #expect(object(operation["responses"])["\(route.status.code)"] != nil)
            let parameters = (operation["parameters"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
            #expect(Set(pattern.captures + route.parameters.map(\.name)).isSubset(of: parameters))
            #expect((operation["requestBody"] != nil) == (route.takes != .nothing))
            let isFree = (operation["security"] as? [Any])?.isEmpty ?? false
            #expect(isFree == (route.access == .anyone))
        }
        #expect(paths.values.reduce(0) { $0 + object($1).count } == town.routes.count)
    }

    /// Each parameter that a route reads must be described.
    @Test func everyParameterThatIsReadIsDescribed() async throws {
        let folder = ProjectFolder.file("Sources/API")
        let described = Set(try await TestTown().routes.flatMap { $0.route.parameters.map(\.name) })
        var read: Set<String> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for match in text.matches(of: /(?:call\.|try )(?:parameter|values|count|flag|moment)\("(\w+)"/) {
                read.insert(String(match.1))
                #expect(described.contains(String(match.1)), "\(name) reads \(match.1)")
            }
        }
        #expect(read.isSuperset(of: ["q", "category", "open_at", "event_type", "dry_run", "since", "limit"]))
    }

    /// Each route has a section with one request and one response, and its own anchor in the contents.
    @Test func thePageHasAnAnchorForEachRoute() async throws {
        let town = try await TestTown()
        let response = try await town.send(.get, "/docs")
        #expect(response.headers.first("Content-Type") == "text/html; charset=utf-8")
        let page = response.text
        let style = try #require(page.firstMatch(of: /<style>([^<]*)<\/style>/)).1
        let digest = Data(SHA256.digest(style.utf8)).base64EncodedString()
        #expect(response.sources == "style-src 'self' 'sha256-\(digest)'")
        #expect(!page.contains(" style=") && !page.contains("<script"), "only the element has a hash")
        for (method, pattern, _) in town.routes {
            let id = OpenAPI.operationID(method, pattern)
            let parts = page.components(separatedBy: "<section id=\"\(id)\">")
            try #require(parts.count == 2, "\(id)")
            #expect(parts[0].contains("<li><a href=\"#\(id)\">"))
            let section = parts[1].components(separatedBy: "</section>")[0]
            #expect(section.components(separatedBy: "<pre>curl ").count == 2, "\(id)")
            #expect(section.components(separatedBy: "Response (").count == 2, "\(id)")
        }
        for group in RouteGroup.allCases { #expect(page.contains("<h2 id=\"\(group)\">")) }
    }
}
