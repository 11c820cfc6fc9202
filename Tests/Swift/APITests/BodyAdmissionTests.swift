import HTTP
import Store
import Testing

@testable import API

/// The admission of bodies before any of them is read.
@Suite struct BodyAdmissionTests {
    private static let mebibyte = 1 << 20

    /// A head, and the result for each caller: a status, or 200 when the body is admitted. The callers are nobody, Mia,
    /// Olga, Otto, Ada and the owner of the folder.
    struct Row: Sendable {
        let head: String
        let length: Int
        let fields: [(String, String)]
        let statuses: [Int]

        init(_ head: String, _ length: Int, _ fields: [(String, String)], _ statuses: [Int]) {
            (self.head, self.length, self.fields, self.statuses) = (head, length, fields, statuses)
        }

        var method: HTTP.Method? { HTTP.Method.allCases.first { head.hasPrefix("\($0.name) ") } }
        var target: String { String(head.drop { $0 != "/" }) }
    }

    private static let form = [("Content-Type", "application/x-www-form-urlencoded")]
    private static let packed = [("Content-Encoding", "gzip")]
    private static let merge = [("Content-Type", "Application/Merge-Patch+JSON; charset=utf-8")]

    static let rows = [
        // Without an account, a body is at most as long as a login needs.
        Row("POST /api/v1/session", 8192, [], [200, 200, 200, 200, 200, 200, 200]),
        Row("POST /api/v1/session", 8193, [], [413, 413, 413, 413, 413, 413, 413]),
        Row("POST /api/v1/session", 8193, form, [415, 415, 415, 415, 415, 415, 415]),
        Row("GET /api/v1/businesses", 8192, [], [200, 200, 200, 200, 200, 200, 200]),
        Row("GET /api/v1/businesses", 8193, [], [413, 413, 413, 413, 413, 413, 413]),
        Row("OPTIONS /api/v1/businesses", 8193, [], [413, 413, 413, 413, 413, 413, 413]),
        // The account is checked first, then the record, then the type, then the length.
        Row("POST /api/v1/events", mebibyte, [], [401, 200, 200, 200, 200, 200, 200]),
        Row("POST /api/v1/events", mebibyte + 1, [], [401, 413, 413, 413, 413, 413, 413]),
        Row("POST /api/v1/events", .max, [], [401, 413, 413, 413, 413, 413, 413]),
        Row("POST /api/v1/events", 10, form, [401, 415, 415, 415, 415, 415, 415]),
        Row("POST /api/v1/events", 10, packed, [401, 415, 415, 415, 415, 415, 415]),
        Row("POST /api/v1/admin/import", 10, packed, [401, 403, 403, 403, 415, 415, 415]),
        Row("POST /api/v1/events", 10, merge, [401, 200, 200, 200, 200, 200, 200]),
        Row("PATCH /api/v1/businesses/zeds", 100_000, [], [401, 403, 200, 403, 200, 200, 200]),
        Row("PATCH /api/v1/businesses/zeds", .max, [], [401, 403, 413, 403, 413, 413, 413]),
        Row("PATCH /api/v1/businesses/den", 100_000, [], [401, 404, 200, 404, 200, 200, 200]),
        Row("PATCH /api/v1/businesses/none", 100_000, [], [401, 404, 404, 404, 200, 200, 200]),
        Row("PATCH /api/v1/events/quiz", 100_000, [], [401, 200, 200, 404, 200, 200, 200]),
        Row("DELETE /api/v1/events/quiz", 10, form, [401, 200, 200, 404, 200, 200, 200]),
        Row("GET /api/v1/users", 10, [], [401, 403, 403, 403, 403, 200, 200]),
        Row("POST /api/v1/users", 100_000, [], [401, 403, 403, 403, 403, 200, 200]),
        // The body of an import may have a gibibyte.
        Row("POST /api/v1/admin/import", 1 << 30, form, [401, 403, 403, 403, 200, 200, 200]),
        Row("POST /api/v1/admin/import", 1 << 30 + 1, [], [401, 403, 403, 403, 413, 413, 413]),
        // There is no such route.
        Row("POST /api/v1/nothing", 100_000, [], [404, 404, 404, 404, 404, 404, 404]),
        Row("PUT /api/v1/events", 100_000, [], [405, 405, 405, 405, 405, 405, 405]),
    ]

    @Test func isDecidedByTheHead() async throws {
        let town = try await TestTown.peopled()
        for row in Self.rows {
            for (caller, status) in zip(TestCaller.allCases, row.statuses) {
                let request = try Self.request(row, as: caller)
                var answered = 200
                do throws(HTTPError) {
                    #expect(try town.api.admitBody(of: request).limit >= row.length)
                } catch {
                    answered = error.status.code
                }
                #expect(answered == status, "\(row.head), \(row.length) bytes of \(row.fields), by \(caller)")
            }
        }
    }

    @Test func otherNamesAreRefusedBeforeTheirBodies() async throws {
        let town = try await TestTown.withAccounts()
        let request = try Request(.post, "/api/v1/session", headers: [("Host", "evil.example")])
        let error = try #require(throws: HTTPError.self) { _ = try town.api.admitBody(of: request) }
        #expect(error.status == .misdirectedRequest)
    }

    /// A request that is refused by its head is counted for its route.
    @Test func aRefusalHasItsRoute() async throws {
        let town = try await TestTown.peopled()
        let request = try Self.request(Row("POST /api/v1/admin/import", 10, [], []), as: .mia)
        let error = try #require(throws: HTTPError.self) { _ = try town.api.admitBody(of: request) }
        let route = try #require(town.api.response(refusing: RefusedRequest(headers: request.headers), error).route)
        #expect(town.routes[route].pattern == "/api/v1/admin/import")
    }

    /// One import at a time, from its head until its end.
    @Test func oneImportAtATime() async throws {
        let town = try await TestTown.peopled()
        let request = try Self.request(Row("POST /api/v1/admin/import", 10, [], []), as: .ada)
        var first: BodyAdmission? = try town.api.admitBody(of: request)
        #expect(first?.permit != nil)
        let error = try #require(throws: HTTPError.self) { _ = try town.api.admitBody(of: request) }
        #expect(error.status == .serviceUnavailable && error.code == "import_running")
        #expect(error.headers.first("Retry-After") == "10")
        let whole = try await town.send(.post, "/api/v1/admin/import", as: .folder, body: "{}")
        #expect(whole.status == .serviceUnavailable && whole.errorCode == "import_running")
        first = nil
        #expect(try town.api.admitBody(of: request).permit != nil)
    }

    private static func request(_ row: Row, as caller: TestCaller) throws -> Request {
        let token = try caller.person == nil ? [] : [#require(TestSecrets.sessions[caller]).asField]
        let type = row.fields.contains { $0.0 == "Content-Type" } ? [] : [JSONBody.field]
        return try Request(
            #require(row.method), row.target,
            headers: row.fields + type + token + [("Content-Length", "\(row.length)")],
            peer: caller == .folder ? TestTown.owner : TestTown.stranger)
    }
}
