import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

/// The pages of a town: who opens its address sees what is open and what is on.
///
/// A page is a function of the version, the address and the clock; the server keeps nothing of who looks at it.
package struct Site: RoutedApplication {
    private let service: TownService

    /// The address of the stylesheet.
    package static var stylesheet: String { Asset.stylesheet.path }

    package init(_ service: TownService) {
        self.service = service
    }

    package var endpoints: [(method: Method, pattern: String, endpoint: Endpoint)] {
        let pages = [
            page("/", HomePage.page),
            page("/businesses", BusinessesPage.page, reading: BusinessesPage.parameters),
            page("/events", EventsPage.page, reading: EventsPage.parameters),
            page("/week", WeekPage.page),
            answer("/businesses/{slug}", BusinessPage.page),
            answer("/events/{slug}", EventPage.page),
        ]
        let files = Asset.all.map { asset in
            (
                Method.get, asset.path,
                Endpoint(
                    .anyone, types: [.html],
                    handler: .cachedRead { _ in CacheableResponse(response: asset.response, until: .endOfTime) })
            )
        }
        return pages + SiteFiles(frame: frame).endpoints + files
    }

    private func page(
        _ pattern: String, _ page: @escaping @Sendable (View) throws(HTTPError) -> WebPage,
        reading parameters: [String] = []
    ) -> (method: Method, pattern: String, endpoint: Endpoint) {
        answer(pattern, { view throws(HTTPError) in .page(try page(view)) }, reading: parameters)
    }

    private func answer(
        _ pattern: String, _ answer: @escaping @Sendable (View) throws(HTTPError) -> Answer,
        reading parameters: [String] = []
    ) -> (method: Method, pattern: String, endpoint: Endpoint) {
        let endpoint = Endpoint(
            .anyone, types: [.html], parameters: parameters.map { Endpoint.Parameter($0, isRepeated: false) },
            handler: .cachedRead { call throws(HTTPError) in
                let view = View(call, frame(of: call.town))
                switch try answer(view) {
                case .moved(let response): return response
                case .page(var page):
                    page.until = page.topics.isEmpty ? nil : view.until
                    let last = Timestamp(microseconds: view.until.microseconds - 1)
                    return CacheableResponse(
                        response: response(page, in: view.frame),
                        until: page.hasClock ? min(last, call.now.endOfMinute) : last)
                }
            })
        return (.get, pattern, endpoint)
    }

    @Sendable private func frame(of town: Town) -> Frame { Frame(town.settings, url: service.url) }

    private func response(_ page: WebPage, in frame: Frame, status: Status = .ok) -> Response {
        let body = frame.around(page).bytes
        var headers: ResponseHeaders = ["Content-Type": MediaType.html.field]
        headers.add("Cache-Control", status == .ok ? "no-cache" : "no-store")
        if status == .ok { headers.add("ETag", bytes: EntityTag(of: body).bytes) }
        var response = Response(status, headers: headers, body: body)
        response.sources = Self.sources
        return response
    }

    /// What a page may load and where it may send forms: nothing but its own site.
    private static let sources =
        "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
        + "form-action 'self'"

    package func response(_ outcome: Outcome, to call: Call) -> Response {
        Response(.noContent)
    }

    package func httpError(_ error: any Error, of call: Call) -> HTTPError { (error as? HTTPError) ?? .internalError }

    /// An error as a page that says what to do next.
    package func response(failing error: HTTPError, _ id: RequestID?) -> Response {
        var shown = response(ErrorPage.page(error, id), in: frame(of: service.store.current.town), status: error.status)
        for name in ["Retry-After", "Allow", "WWW-Authenticate"] as [StaticString] {
            if let value = error.headers.first(name) { shown.headers.add(name, value) }
        }
        return shown
    }
}

extension Frame {
    init(_ settings: Settings, url: String) {
        (town, tagline, theme) = (settings.name, settings.tagline.shown, settings.theme.rawValue)
        contact = settings.contactEmail
        (map, self.url) = (settings.mapLink, url)
    }
}
