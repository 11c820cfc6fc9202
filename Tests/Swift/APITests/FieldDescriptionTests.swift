import Foundation
import HTTP
import Service
import SookeModel
import Testing

@testable import API

/// The description of fields matches what routes accept and return.
@Suite struct FieldDescriptionTests {
    /// The report of an import is not described by fields.
    private static let formless: Set<Schema> = [.report]

    @Test func everySchemaOfARouteIsDescribed() async throws {
        let routes = try await TestTown().routes.map(\.route)
        for schema in Set(routes.flatMap { [$0.takes.schema, $0.gives.schema] }.compactMap(\.self)) {
            #expect(schema.fields.isEmpty == Self.formless.contains(schema), "\(schema)")
        }
        for route in routes {
            #expect(route.takes.schema?.fields.contains(where: \.isGiven) != false, "\(route.summary)")
            #expect(
                route.gives.schema.map { Self.formless.contains($0) || $0.fields.contains(where: \.isShown) } != false)
        }
    }

    @Test(arguments: Schema.all)
    func aDescriptionIsWhole(_ schema: Schema) {
        #expect(Set(schema.fields.map(\.name)).count == schema.fields.count)
        for field in schema.fields {
            #expect(!field.explanation.isEmpty && !field.explanation.hasSuffix("."), "\(schema).\(field.name)")
            #expect(field.isGiven || !field.isRequired, "\(schema).\(field.name)")
        }
    }

    /// Each field of any kind in a request to each route: it is rejected by name exactly when its description does not
    /// allow it.
    @Test func whatARouteAccepts() async throws {
        let town = try await TestTown.peopled()
        for row in AccessTests.rows {
            let route = try #require(town.routes.first { "\($0.method.name) \($0.pattern)" == row.route }?.route)
            guard let schema = route.takes.schema else { continue }
            var offers = Self.undescribed
            for other in Schema.all { for field in other.fields { offers[field.name] = field.kind.sample } }
            for field in schema.fields { offers[field.name] = field.kind.sample }
            let caller: TestCaller = route.access == .folderOwner ? .folder : .ada
            var refused: Set<String> = []
            // In parts, because a response lists at most 100 invalid fields.
            let members = offers.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }
            for start in stride(from: 0, to: members.count, by: 90) {
                let body = "{" + members.dropFirst(start).prefix(90).joined(separator: ",") + "}"
                let answer = try await town.send(row.method, row.target, as: caller, body: body)
                #expect(answer.status.code == 422, "\(row.route)")
                let reasons = ["cannot be given here", "is not a field here"]
                refused.formUnion(try answer.fieldProblems.filter { reasons.contains($0.value) }.keys)
            }
            let given = schema.fields.filter(\.isGiven).map(\.name)
            #expect(Set(offers.keys).subtracting(refused).sorted() == given.sorted(), "\(row.route)")
        }
    }

    /// Each required field is reported when it is missing.
    @Test func whatMustBeGiven() async throws {
        let town = try await TestTown.peopled()
        for row in AccessTests.rows {
            let route = town.routes.first { "\($0.method.name) \($0.pattern)" == row.route }?.route
            // An approval without a version is valid with If-Match, and 428 without.
            // Special hours of a closed day have no times.
            guard case .one(let schema)? = route?.takes,
                ![.approval, .proposalAcceptance, .specialHours].contains(schema)
            else { continue }
            let caller: TestCaller = route?.access == .folderOwner ? .folder : .ada
            let answer = try await town.send(row.method, row.target, as: caller, body: "{}")
            #expect(answer.status.code == 422, "\(row.route)")
            // A slug is made from the name, so it is missing together with the name. A location is needed only by a town
            // without a center, and a start may have another name.
            let named = try answer.fieldProblems.keys.map { $0.replacing(/^(items|menus)\[0\]\./, with: "") }
            let required = schema.fields.filter(\.isRequired).map(\.name)
            let last = named.map { String($0.split(separator: ".").last ?? "") }
            #expect(
                Set(last).subtracting(["slug", "latitude", "longitude", "starts_at"]) == Set(required),
                "\(row.route): \(answer.text)")
        }
    }

    /// Successful responses contain described members only; `Tests/Binary/OpenAPI` compares the values with their kinds.
    @Test func theMembersOfResponses() async throws {
        for row in AccessTests.rows where row.route != "POST /api/v1/admin/import" {
            let town = try await TestTown.peopled()
            let route = try #require(
                town.routes.first { "\($0.method.name) \($0.pattern)" == row.route }?.route)
            guard let schema = route.gives.schema,
                let caller = TestCaller.allCases.last(where: { row.status(.good, $0) < 300 })
            else { continue }
            let answer = try await town.send(row.method, row.target, as: caller, body: row.good)
            try check(JSONSerialization.jsonObject(with: Data(answer.body)), schema, row.route)
        }
        let town = try await TestTown.peopled()
        for read in AccessTests.reads {
            let route = town.routes.first { $0.method == .get && $0.pattern == read.route }?.route
            let answer = try await town.send(.get, read.target, as: read.target.hasSuffix("/me") ? .mia : .ada)
            // The only date of an event redirects to it.
            guard answer.status == .ok, let shape = route?.gives, let schema = shape.schema else { continue }
            let value = try JSONSerialization.jsonObject(with: Data(answer.body))
            if case .one = shape { try check(value, schema, read.target); continue }
            for item in (value as? [String: Any])?["items"] as? [Any] ?? [] { try check(item, schema, read.target) }
        }
    }

    private func check(_ value: Any, _ schema: Schema, _ place: String) throws {
        guard let object = value as? [String: Any] else {
            Issue.record("\(place) shows no object")
            return
        }
        let shown = Dictionary(uniqueKeysWithValues: schema.fields.filter(\.isShown).map { ($0.name, $0) })
        for (name, value) in object {
            guard let field = shown[name] else {
                Issue.record("\(place): \(schema) shows \(name), which is not described")
                continue
            }
            switch field.kind {
            case .object(let part) where !(value is NSNull), .objectOrText(let part) where value is [String: Any]:
                try check(value, try #require(Schema.named(part)), "\(place) \(name)")
            case .list(let part):
                for item in value as? [Any] ?? [] {
                    try check(item, try #require(Schema.named(part)), "\(place) \(name)")
                }
            default: break
            }
        }
    }

    /// Fields of the dataset that the API does not describe.
    private static let undescribed = [
        "former_slugs": "[]", "pending_slug": "\"x\"", "submitted_by": "1", "clerk_id": "\"x\"", "digest": "\"x\"",
        "purpose": "\"x\"", "confirmed_by": "1", "zone_data": "\"x\"",
    ]
}

extension FieldDescription.Kind {
    /// A value of the kind, as JSON.
    fileprivate var sample: String {
        switch self {
        case .text, .time, .price: "\"x\""
        case .number, .integer: "9"
        case .flag: "true"
        case .moment: "\"2035-01-01T00:00:00Z\""
        case .date: "\"2035-01-01\""
        case .choice(let texts): "\"\(texts.first ?? "")\""
        case .object, .objectOrText, .any: "{}"
        case .localTime: "\"2035-01-01T00:00\""
        case .list, .texts: "[]"
        }
    }
}

extension Response {
    /// The problem of each field in an error.
    var fieldProblems: [String: String] {
        get throws {
            let body = try JSONSerialization.jsonObject(with: Data(body)) as? [String: [String: Any]]
            return body?["error"]?["fields"] as? [String: String] ?? [:]
        }
    }
}
