import HTTP
import Testing

@testable import API

/// What a client wants of an export.
@Suite struct ExportRequestTests {
    /// The options for PostgreSQL are refused for other formats, so that nobody believes an export to be whole.
    @Test(
        arguments: [
            ("", .ok), ("?schema=false&private=false", .ok), ("?schema=true", .badRequest),
            ("?private=true", .badRequest),
            ("?format=json&private=true", .badRequest), ("?private=maybe", .badRequest), ("?format=no", .badRequest),
        ] as [(String, HTTP.Status)])
    func optionsAreForTheirFormat(query: String, status: HTTP.Status) async throws {
        let town = try await TestTown.peopled()
        #expect(try await town.send(.get, "/api/v1/admin/export\(query)", as: .ada).status == status)
    }
}
