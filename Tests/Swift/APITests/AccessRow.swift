import HTTP
import Store
import Testing

/// Who may do something: the status of the refusal of each `TestCaller`, in its order; 0 for whoever may.
///
/// 422 is for somebody who may use the route, but not give this body.
struct Rights: Sendable {
    let refusals: [Int]

    /// Asked by:                             nobody, mia, olga, otto, edda, ada, folder
    static let everyone = Rights(refusals: [0, 0, 0, 0, 0, 0, 0])
    static let members = Rights(refusals: [401, 0, 0, 0, 0, 0, 0])
    static let accounts = Rights(refusals: [401, 0, 0, 0, 0, 0, 403])
    static let mia = Rights(refusals: [401, 0, 404, 404, 404, 404, 403])
    static let editors = Rights(refusals: [401, 403, 403, 403, 0, 0, 0])
    static let admins = Rights(refusals: [401, 403, 403, 403, 403, 0, 0])
    static let folderOwner = Rights(refusals: [401, 403, 403, 403, 403, 403, 0])
    /// Of `zeds`, and of `den`, which is hidden.
    static let managers = Rights(refusals: [401, 403, 0, 403, 0, 0, 0])
    static let managersOfHidden = Rights(refusals: [401, 404, 0, 404, 0, 0, 0])
    static let ownersAndAdmins = Rights(refusals: [401, 403, 0, 403, 403, 0, 0])
    /// Of `quiz`, which waits for a decision, and of a proposal, on which owners decide first.
    static let submitters = Rights(refusals: [401, 0, 0, 404, 0, 0, 0])
    static let deciders = Rights(refusals: [401, 403, 0, 404, 0, 0, 0])
    static let ownersFirst = Rights(refusals: [401, 403, 0, 404, 404, 0, 0])
    static let adminsAmongEditors = Rights(refusals: [401, 403, 403, 403, 422, 0, 0])
    static let adminsAmongManagers = Rights(refusals: [401, 403, 422, 403, 422, 0, 0])
    static let editorsAmongManagers = Rights(refusals: [401, 403, 422, 403, 0, 0, 0])
    /// Reads.
    static let hiddenBusiness = Rights(refusals: [404, 404, 0, 404, 0, 0, 0])
    static let hiddenEvent = Rights(refusals: [404, 0, 0, 404, 0, 0, 0])
    static let historyByID = Rights(refusals: [401, 404, 404, 404, 0, 0, 0])
    static let noHistory = Rights(refusals: [401, 403, 403, 403, 403, 404, 404])
    static let noCheck = Rights(refusals: [401, 403, 403, 403, 404, 404, 404])
    static let nobody = Rights(refusals: [404, 404, 404, 404, 404, 404, 404])
}

/// One route of the table of permissions: who may use it, and its statuses for a valid body, an invalid one, and a
/// valid one with a stale entity tag.
struct AccessRow: Sendable, CustomTestStringConvertible {
    /// Method and pattern, as in the router.
    let route: String
    /// The path of the request.
    let target: String
    let rights: Rights
    let passed: Int
    let stale: Int?
    let good: String
    let bad: String?
    /// Whether a version of the town has the effect of the valid body; nil when the route changes no stored data.
    let isDone: (@Sendable (Town) -> Bool)?

    /// A well-formed body with invalid content.
    static let nonsense = #"{"nonsense":1}"#

    /// A row.
    ///
    /// - Parameters:
    ///   - target: nil is the pattern itself.
    ///   - passed: the status for whoever may and a valid body.
    ///   - stale: the status for a stale entity tag; nil for a route without versions, which ignores it.
    ///   - bad: a body for which the status is 422; nil for a route that ignores its body.
    init(
        _ route: String, at target: String? = nil, _ rights: Rights, _ passed: Int, stale: Int? = nil,
        good: String = "",
        bad: String? = nil, isDone: (@Sendable (Town) -> Bool)? = nil
    ) {
        (self.route, self.rights, self.passed, self.stale) = (route, rights, passed, stale)
        (self.good, self.bad, self.isDone) = (good, bad, isDone)
        self.target = target ?? String(route.drop { $0 != "/" })
    }

    var testDescription: String { "\(route) \(good)" }

    var method: HTTP.Method { HTTP.Method.allCases.first { route.hasPrefix("\($0.name) ") } ?? .trace }

    enum Way: Int, CaseIterable {
        case good, bad, stale
    }

    func body(_ way: Way) -> String { way == .bad ? bad ?? Self.nonsense : good }

    func headers(_ way: Way) -> [(String, String)] {
        way == .stale ? [("If-Match", "\"0000000000000000\"")] : []
    }

    func status(_ way: Way, _ caller: TestCaller) -> Int {
        let refusal = rights.status(caller, otherwise: 0)
        if ![0, 422].contains(refusal) { return refusal }
        switch way {
        case .good: return refusal == 422 ? 422 : passed
        case .bad: return bad != nil ? 422 : passed
        case .stale: return stale ?? (refusal == 422 ? 422 : passed)
        }
    }
}

extension Rights {
    /// The status of a caller's request.
    func status(_ caller: TestCaller, otherwise passed: Int) -> Int {
        let refusal = zip(TestCaller.allCases, refusals).first { $0.0 == caller }?.1 ?? 0
        return refusal == 0 ? passed : refusal
    }
}
