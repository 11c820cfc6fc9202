import HTTP
import Store
import Testing

/// One route of the table of permissions: the status that each caller gets for a valid body, an invalid one, and a
/// valid one with a stale entity tag. The callers are those of `TestCaller`, in its order.
struct AccessRow: Sendable, CustomTestStringConvertible {
    /// Method and pattern, as in the router.
    let route: String
    /// The path of the request.
    let target: String
    let good: String
    let bad: String
    let statuses: [[Int]]
    /// Whether a version of the town has the effect of the valid body; nil when the route changes no stored data.
    let isDone: (@Sendable (Town) -> Bool)?

    /// A row.
    ///
    /// - Parameters:
    ///   - target: nil is the pattern itself.
    ///   - bad: a well-formed body with invalid content. A route without a body ignores it.
    ///   - passes: the statuses for a valid body.
    ///   - fails: those for an invalid one.
    ///   - stale: those for a stale entity tag; nil for a route without versions, which ignores it.
    init(
        _ route: String, _ target: String? = nil, good: String = "", bad: String = #"{"nonsense":1}"#,
        passes: [Int], fails: [Int], stale: [Int]? = nil, isDone: (@Sendable (Town) -> Bool)? = nil
    ) {
        self.route = route
        self.target = target ?? String(route.drop { $0 != "/" })
        (self.good, self.bad, self.isDone) = (good, bad, isDone)
        statuses = [passes, fails, stale ?? passes]
    }

    var testDescription: String { route }

    var method: HTTP.Method? { HTTP.Method.allCases.first { route.hasPrefix("\($0.name) ") } }

    /// The three kinds of request, in the order of `statuses`.
    enum Way: Int, CaseIterable {
        case good, bad, stale
    }

    func body(_ way: Way) -> String { way == .bad ? bad : good }

    func headers(_ way: Way) -> [(String, String)] {
        way == .stale ? [("If-Match", "\"0000000000000000\"")] : []
    }

    func status(_ way: Way, _ caller: TestCaller) -> Int? {
        let row = statuses[way.rawValue]
        return TestCaller.allCases.firstIndex(of: caller).flatMap { row.indices.contains($0) ? row[$0] : nil }
    }
}
