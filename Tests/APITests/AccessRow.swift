import HTTP
import Store
import Testing

/// One route of the table of who may what: the status that each caller gets for a good body, a bad one, and a good one
/// with the entity tag of a version that is gone. The callers are those of `TestCaller`, in its order.
struct AccessRow: Sendable, CustomTestStringConvertible {
    /// Method and pattern, as the router has them.
    let route: String
    /// The address that is asked for.
    let target: String
    let good: String
    let bad: String
    let statuses: [[Int]]
    /// Whether a version of the town has what the good body asks for; nil when it changes nothing that is stored.
    let isDone: (@Sendable (Community) -> Bool)?

    /// A row.
    ///
    /// - Parameters:
    ///   - target: nil is the pattern itself.
    ///   - bad: a body that is well-formed and wrong. A route that takes none passes it over.
    ///   - passes: the statuses for a good body.
    ///   - fails: those for a bad one.
    ///   - stale: those for a stale entity tag; nil where there is no version to have seen, so that it counts for
    ///     nothing.
    init(
        _ route: String, _ target: String? = nil, good: String = "", bad: String = #"{"nonsense":1}"#,
        passes: [Int], fails: [Int], stale: [Int]? = nil, isDone: (@Sendable (Community) -> Bool)? = nil
    ) {
        self.route = route
        self.target = target ?? String(route.drop { $0 != "/" })
        (self.good, self.bad, self.isDone) = (good, bad, isDone)
        statuses = [passes, fails, stale ?? passes]
    }

    var testDescription: String { route }

    var method: HTTP.Method? { HTTP.Method.allCases.first { route.hasPrefix("\($0.name) ") } }

    /// The three ways to ask, in the order of `statuses`.
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
