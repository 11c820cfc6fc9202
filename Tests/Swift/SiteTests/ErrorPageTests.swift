import Dispatcher
import HTTP
import Service
import Testing

@testable import Site

@Suite struct ErrorPageTests {
    /// The title and the advice for each kind of error, and whether it names the request.
    static let rows: [(error: HTTPError, title: String, advice: String, retryAfter: String?, namesRequest: Bool)] = [
        (.notFound(), "Page not found", "It may have been removed, or the address has a mistake.", nil, false),
        (HTTPError(ServiceError.gone), "This page is gone", "What was here was removed.", nil, false),
        (
            HTTPError(.tooManyRequests, code: "too_much_work", message: "", headers: ["Retry-After": "17"]),
            "Too many requests", "Wait a minute, then reload the page.", "17", false
        ),
        (.internalError, "Something went wrong", "It is not your fault. Reload the page in a minute.", nil, true),
        (.overloaded, "We are busy at the moment", "Reload the page in a few seconds.", "1", true),
        (
            HTTPError(ServiceError.readOnly(reason: "we <move>")), "Nothing can be changed now",
            "The town is read-only at the moment (we &lt;move&gt;); nothing was changed, try again later. You can "
                + "still read everything, but not log in.", "30", false
        ),
        (
            HTTPError(ServiceError.diskFull), "The server’s disk is full",
            "Nothing was changed. Please tell the people who run this site.", "5", true
        ),
        (
            .invalidParameter("page must be an integer of at least 1"), "We could not do this",
            "Page must be an integer of at least 1.", nil, false
        ),
        (
            HTTPError(.notImplemented, code: "a", message: "this is <b>new</b>"), "We could not do this",
            "This is &lt;b&gt;new&lt;/b&gt;.", nil, true
        ),
    ]

    @Test(arguments: rows.indices)
    func saysWhatToDoNext(index: Int) async throws {
        let (row, town, id) = (Self.rows[index], try await SiteTown(), RequestID())
        let response = town.page(failing: row.error, id)
        #expect(response.status == row.error.status)
        let main = response.text.main
        #expect(main.contains("<h1>\(row.title)</h1><p>\(row.advice)</p>"), "\(main)")
        #expect(main.addresses == ["/", "/businesses"])
        #expect(response.headers.all("Retry-After") == [row.retryAfter].compactMap(\.self))
        // Who asks for help can say which request it was.
        #expect(main.contains(id.text) == row.namesRequest)
        #expect(!town.page(failing: row.error, nil).text.main.contains("soft\">Request "))
        // It is no page to keep, to list or to load something of another site into.
        #expect(response.headers.first("Content-Type") == "text/html; charset=utf-8")
        #expect(response.headers.all("Cache-Control") == ["no-store"] && response.headers.first("ETag") == nil)
        #expect(response.text.contains("<meta name=\"robots\" content=\"noindex\">"))
        #expect(response.text.contains(" data-until=\"\"") && response.text.contains(" data-topics=\"\""))
        #expect(response.sources?.hasPrefix("script-src 'self';") == true)
    }

    @Test(arguments: [
        ("/nothing", Method.get, Status.notFound), ("/businesses/none", .get, .notFound),
        ("/assets/site.0.css", .get, .notFound), ("/businesses", .post, .methodNotAllowed),
        ("/", .delete, .methodNotAllowed),
    ])
    func answersForThePages(target: String, method: Method, status: Status) async throws {
        let response = try await SiteTown().send(method, target)
        #expect(response.status == status)
        #expect(response.headers.first("Content-Type") == "text/html; charset=utf-8")
        #expect(response.headers.first("Allow") == (status == .methodNotAllowed ? "GET, HEAD, OPTIONS" : nil))
    }

    /// Only at the address of a form has somebody typed what was sent: elsewhere another site chose the words.
    @Test(arguments: [
        ("/nothing", Status.notFound, false), ("/businesses", .methodNotAllowed, false),
        ("/businesses/none/report", .notFound, true),
    ])
    func showsOnlyWhatWasTyped(target: String, status: Status, isShown: Bool) async throws {
        let response = try await SiteTown().send(form: [("message", "Call this number")], to: target)
        #expect(response.status == status)
        #expect(response.text.contains("Call this number") == isShown)
    }

    /// A browser does not send tokens; who sends a wrong one learns that in the form of the address.
    @Test func aWrongTokenIsRefusedAsAPage() async throws {
        let response = try await SiteTown().send(.get, "/businesses", [("Authorization", "Bearer wrong")])
        #expect(response.status == .unauthorized && response.text.contains("<h1>We could not do this</h1>"))
        #expect(response.headers.first("Content-Type") == "text/html; charset=utf-8")
        #expect(response.headers.first("WWW-Authenticate")?.hasPrefix("Bearer") == true)
    }
}

extension SiteTown {
    /// The response of the site to a request that failed.
    func page(failing error: HTTPError, _ id: RequestID?) -> Response { pages.response(failing: error, id) }
}
