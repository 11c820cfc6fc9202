/// Several applications of one server, each below its own prefix.
///
/// Each application decides about the paths below its prefix, including the form of refusals: an API responds to an
/// unknown path with JSON, pages with a page.
public struct Mounts: Application {
    private struct Mount {
        let prefix: [UInt8]
        let application: any Application
    }

    private let root: any Application
    /// The mounts, the longest prefix first.
    private var mounts: [Mount] = []

    /// An application for all paths without a prefix.
    public init(root: any Application) {
        self.root = root
    }

    /// Serves an application at a path and at all paths below it, such as `/api/v1`.
    public mutating func mount(_ application: any Application, at prefix: String) {
        precondition(prefix.hasPrefix("/") && !prefix.hasSuffix("/"), "the prefix \(prefix) must be like /api")
        mounts.append(Mount(prefix: Array(prefix.utf8), application: application))
        mounts.sort { $0.prefix.count > $1.prefix.count }
    }

    private func application(for path: ArraySlice<UInt8>) -> any Application {
        let slash = UInt8(ascii: "/")
        let mount = mounts.first { mount in
            guard path.starts(with: mount.prefix) else { return false }
            return path.count == mount.prefix.count || path[path.startIndex + mount.prefix.count] == slash
        }
        return mount?.application ?? root
    }

    private func application(for request: Request) -> any Application { application(for: request.path.encoded) }

    /// Calls the application of the path.
    public func respond(to request: Request) throws(HTTPError) -> EventualResponse {
        try application(for: request).respond(to: request)
    }

    /// The application of the path renders the refusal.
    public func response(to request: Request, failing error: HTTPError) -> Response {
        application(for: request).response(to: request, failing: error)
    }

    /// The application of the path renders the refusal, as far as the path could be read.
    public func response(refusing request: RefusedRequest, _ error: HTTPError) -> Response {
        let path = request.target.prefix { $0 != UInt8(ascii: "?") }
        return application(for: path).response(refusing: request, error)
    }

    /// The application of the path decides.
    public func admitBody(of request: Request) throws(HTTPError) -> BodyAdmission {
        try application(for: request).admitBody(of: request)
    }

    /// The application of the path decides.
    public func hasPriority(_ request: Request) -> Bool {
        application(for: request).hasPriority(request)
    }
}
