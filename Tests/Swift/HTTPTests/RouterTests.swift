import Testing

@testable import HTTP

@Suite struct RouterTests {
    private static let (router, names): (Router, [String]) = {
        var router = Router()
        var names: [String] = []
        func add(_ method: HTTP.Method, _ pattern: String, _ name: String) {
            router.add(method, pattern)
            names.append(name)
        }
        add(.get, "/", "root")
        add(.get, "/businesses", "list")
        add(.post, "/businesses", "create")
        add(.get, "/businesses/{slug}", "detail")
        add(.patch, "/businesses/{slug}", "change")
        add(.get, "/businesses/mine", "mine")
        add(.get, "/businesses/{slug}/menus/{id}", "menu")
        add(.get, "/businesses/mine/hours", "my hours")
        add(.get, "/caf\u{E9}", "coffee")
        add(.options, "/cors", "own options")
        add(.head, "/light", "own head")
        add(.get, "/light", "light")
        return (router, names)
    }()

    private func outcome(_ method: HTTP.Method, _ target: String) throws -> String {
        switch Self.router.match(method, try Request(method, target).path) {
        case .found(let captures):
            try captures.names.reduce(Self.names[captures.route]) { "\($0) \($1)=\(try captures.text($1))" }
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
}
