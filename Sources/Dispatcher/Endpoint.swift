import Bytes
import HTTP
import Service
import SookeModel

/// What an application does at one method and path, and what the dispatcher checks before.
package final class Endpoint: Sendable {
    package let access: Access
    let body: AcceptedBody
    /// The default, then those that a client may prefer by `Accept`.
    package let types: [MediaType]
    let parameters: [Parameter]
    /// The action of its audit entries; nil when only refusals are recorded.
    let audit: AuditEntry.Action?
    /// Whether it is served even when there are too many connections.
    let hasPriority: Bool
    /// The cookie of a session counts for every method, and a change must come from a page of the site itself.
    /// Elsewhere the cookie counts for reads only.
    package let isPage: Bool
    /// It is the same for everybody: sessions do not count.
    let ignoresCookies: Bool
    /// The address of the account that a request wants to log in to: known ones have a rate limit of their own.
    let loginAddress: (@Sendable (Call) -> String?)?
    /// Whether a request makes no commit although its method is unsafe, so that it is served while the town is
    /// read-only.
    let changesNothing: (@Sendable (Call) -> Bool)?
    package let handler: Handler

    package init(
        _ access: Access, body: AcceptedBody = .none, types: [MediaType] = [.json], parameters: [Parameter] = [],
        audit: AuditEntry.Action? = nil, hasPriority: Bool = false,
        isPage: Bool = false, ignoresCookies: Bool = false, loginAddress: (@Sendable (Call) -> String?)? = nil,
        changesNothing: (@Sendable (Call) -> Bool)? = nil, handler: Handler
    ) {
        self.changesNothing = changesNothing
        (self.access, self.body, self.types, self.parameters) = (access, body, types, parameters)
        (self.audit, self.hasPriority) = (audit, hasPriority)
        (self.isPage, self.loginAddress, self.handler) = (isPage, loginAddress, handler)
        self.ignoresCookies = ignoresCookies
    }

    package struct Parameter: Sendable {
        let name: String
        let isRepeated: Bool

        package init(_ name: String, isRepeated: Bool) {
            (self.name, self.isRepeated) = (name, isRepeated)
        }
    }

    package enum Handler: Sendable {
        /// Responds at once, from the published version.
        case read(@Sendable (Call) throws -> Response)
        /// Responds at once, in the same way to all clients without an account.
        case cachedRead(@Sendable (Call) throws -> CacheableResponse)
        /// Prepares a transaction at once; the response is its outcome, sent when the change is on stable storage.
        case transaction(@Sendable (Call) throws -> Transaction<Outcome>)
        /// Responds after commits or other slow work, in a task.
        case async(@Sendable (Call) async throws -> Response)
    }

    func values(in query: Query) -> [(parameter: Int, value: String?)] {
        var values: [(parameter: Int, value: String?)] = []
        if query.isEmpty || parameters.isEmpty { return values }
        query.forEachPair { name, value in
            guard let index = parameters.firstIndex(where: { name.isSame(as: $0.name) }),
                parameters[index].isRepeated || !values.contains(where: { $0.parameter == index })
            else { return }
            let place = values.lastIndex { $0.parameter <= index }.map { $0 + 1 } ?? 0
            values.insert((index, value.text), at: place)
        }
        return values
    }

    func isGuarded(_ method: Method) -> Bool {
        [.editor, .superAdmin, .metricsReader, .folderOwner].contains(access) || !method.isSafe
    }

    /// Without an account, such as for a login.
    static let anonymousBodyLimit = 8 << 10
    static let bodyLimit = 1 << 20

    /// Of a page: who has to log in first gets back everything they typed.
    static let formLimit = 256 << 10
    static let strangerFormLimit = 64 << 10
    /// Of a log-in with which no session comes, also one that has ended.
    static let loginLimit = 32 << 10

    var bodyLimit: Int {
        if let limit = body.fileLimit { return limit }
        if isPage { return access == .anyone ? Self.formLimit : Self.bodyLimit }
        return (access == .anyone ? Self.anonymousBodyLimit : Self.bodyLimit)
    }
}

package struct AcceptedBody: Sendable {
    /// The usual one first; empty for any.
    let types: [String]
    /// Of a file to import, which only one client sends at a time; nil for other bodies.
    let fileLimit: Int?

    package static let none = AcceptedBody(types: [], fileLimit: nil)

    package static func of(_ types: String...) -> AcceptedBody { AcceptedBody(types: types, fileLimit: nil) }

    package static func file(upTo limit: Int, _ types: String...) -> AcceptedBody {
        AcceptedBody(types: types, fileLimit: limit)
    }
}

/// A part of the server with endpoints and a form of its own: the API in JSON, pages in HTML.
package protocol RoutedApplication: Sendable {
    var endpoints: [(method: Method, pattern: String, endpoint: Endpoint)] { get }

    /// Rendered from the outcome of its transaction, outside of it.
    func response(_ outcome: Outcome, to call: Call) -> Response

    func httpError(_ error: any Error, of call: Call) -> HTTPError

    /// For one of its endpoints, or for an address that belongs to it.
    func response(failing error: HTTPError, _ id: RequestID?) -> Response

    func response(failing error: HTTPError, to request: Request) -> Response
}

extension RoutedApplication {
    package func response(failing error: HTTPError, to request: Request) -> Response {
        response(failing: error, request.id)
    }
}

/// A format of responses, chosen by the field `Accept` (RFC 9110, section 12.5.1) or by the extension of the path.
package enum MediaType: String, CaseIterable {
    case json = "application/json"
    case geoJSON = "application/geo+json"
    case csv = "text/csv"
    case calendar = "text/calendar"
    case html = "text/html"

    package var field: String {
        self == .csv || self == .calendar || self == .html ? rawValue + "; charset=utf-8" : rawValue
    }

    /// The first one if it prefers none.
    package static func preferred(by request: Request, of offered: [MediaType]) -> MediaType {
        guard let field = request.headers.first("accept"), !field.elementsEqual("*/*".utf8), var best = offered.first
        else { return offered[0] }
        var highest = best.quality(in: field)
        for type in offered.dropFirst() {
            let quality = type.quality(in: field)
            if quality > highest { (best, highest) = (type, quality) }
        }
        return best
    }

    /// Whether it gets the default of its endpoint, even if that offers others: JSON, or a page, which has one form
    /// only.
    static func isDefault(preferredBy request: Request) -> Bool {
        preferred(by: request, of: [.json, .geoJSON, .csv, .calendar]) == .json
    }

    /// In thousandths; the most specific range counts.
    private func quality(in field: ArraySlice<UInt8>) -> Int {
        let type = rawValue.utf8
        let group = rawValue.utf8.prefix { $0 != UInt8(ascii: "/") }
        var (found, precision) = (0, 0)
        for item in field.split(separator: UInt8(ascii: ",")) {
            var parts = item.split(separator: UInt8(ascii: ";")).map { $0.filter { $0 != 0x20 && $0 != 0x09 } }
            guard !parts.isEmpty else { continue }
            let range = parts.removeFirst()
            let match =
                if ASCII.equalIgnoringCase(range, type) {
                    3
                } else if ASCII.equalIgnoringCase(range, Array(group) + "/*".utf8) {
                    2
                } else {
                    range.elementsEqual("*/*".utf8) ? 1 : 0
                }
            guard match > precision else { continue }
            (found, precision) = (Self.weight(parts), match)
        }
        return found
    }

    /// Of `q=0.8`, in thousandths.
    private static func weight(_ parameters: [[UInt8]]) -> Int {
        guard let parameter = parameters.first(where: { ASCII.equalIgnoringCase($0.prefix(2), "q=".utf8) }) else {
            return 1000
        }
        let text = String(decoding: parameter.dropFirst(2).prefix(5), as: UTF8.self)
        return Int(clamping: (min(max(Double(decimal: text) ?? 0, 0), 1) * 1000).rounded())
    }
}
