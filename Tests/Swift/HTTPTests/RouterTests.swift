import Testing

@testable import HTTP

@Suite struct RouterTests {
    private static let router: Router<String> = {
        var builder = RouterBuilder<String>()
        builder.on(.get, "/", "root")
        builder.on(.get, "/businesses", "list")
        builder.on(.post, "/businesses", "create")
        builder.on(.get, "/businesses/{slug}", "detail")
        builder.on(.patch, "/businesses/{slug}", "change")
        builder.on(.get, "/businesses/mine", "mine")
        builder.on(.get, "/businesses/{slug}/menus/{id}", "menu")
        builder.on(.get, "/businesses/mine/hours", "my hours")
        builder.on(.get, "/caf\u{E9}", "coffee")
        builder.on(.options, "/cors", "own options")
        builder.on(.head, "/light", "own head")
        builder.on(.get, "/light", "light")
        return builder.build()
    }()

    private func outcome(_ method: HTTP.Method, _ target: String) throws -> String {
        switch Self.router.match(method, try Request(method, target).path) {
        case .found(let name, let captures):
            try captures.names.reduce(name) { "\($0) \($1)=\(try captures.text($1))" }
        case .options(let allowed): "options: \(allowed.allow)"
        case .methodNotAllowed(let allowed): "only: \(allowed.allow)"
        case .notFound: "-"
        }
    }

    @Test(arguments: [
        (HTTP.Method.get, "/", "root"), (.get, "/businesses", "list"), (.post, "/businesses", "create"),
        (.get, "/businesses?page=2", "list"), (.get, "/businesses/zed", "detail slug=zed"),
        (.get, "/businesses/mine", "mine"), (.get, "/businesses/zed/menus/4", "menu slug=zed id=4"),
        (.get, "/businesses/mine/menus/4", "menu slug=mine id=4"), (.get, "/businesses/mine/hours", "my hours"),
        (.get, "/businesses/caf%C3%A9%2Fbar", "detail slug=café/bar"), (.get, "/busin%65sses", "list"),
        (.get, "/caf%c3%a9", "coffee"), (.get, "/café", "coffee"), (.get, "/businesses/a+b", "detail slug=a+b"),
        (.get, "/businesses/x/../zed", "detail slug=zed"),
    ])
    func finds(_ method: HTTP.Method, _ target: String, _ wanted: String) throws {
        #expect(try outcome(method, target) == wanted)
    }

    @Test(arguments: [
        "/nope", "/businesses/", "/businesses//", "//businesses", "/businesses/zed/", "/businesses/zed/menus",
        "/businesses%2Fzed", "/Businesses", "/businesse", "/businessess", "/light/",
    ])
    func knowsNothingAt(_ target: String) throws {
        #expect(try outcome(.get, target) == "-")
    }

    @Test(arguments: [
        (HTTP.Method.delete, "/businesses", "only: GET, HEAD, POST, OPTIONS"),
        (.put, "/businesses/zed", "only: GET, HEAD, PATCH, OPTIONS"),
        (.delete, "/businesses/mine", "only: GET, HEAD, PATCH, OPTIONS"),
        (.patch, "/businesses/mine", "change slug=mine"),
        (.head, "/businesses", "list"), (.head, "/light", "own head"), (.head, "/cors", "only: OPTIONS"),
        (.options, "/businesses", "options: GET, HEAD, POST, OPTIONS"), (.options, "/cors", "own options"),
        (.options, "/nope", "-"), (.options, "*", "options: GET, HEAD, POST, PATCH, OPTIONS"),
        (.trace, "/", "only: GET, HEAD, OPTIONS"),
    ])
    func methods(_ method: HTTP.Method, _ target: String, _ wanted: String) throws {
        #expect(try outcome(method, target) == wanted)
    }

    @Test func brokenCaptureIsTheRoutesToRefuse() throws {
        for target in ["/businesses/%FF", "/businesses/%", "/businesses/%zz", "/businesses/%C0%AF"] {
            let error = #expect(throws: HTTPError.self) { try outcome(.get, target) }
            #expect(error?.status == .badRequest)
            #expect(error?.code == "invalid_parameter")
        }
    }

    @Test func listsItsRoutes() {
        let routes = Self.router.routes
        #expect(routes.count == 12)
        #expect(routes[3].method == .get && routes[3].pattern == "/businesses/{slug}" && routes[3].handler == "detail")
    }
}
