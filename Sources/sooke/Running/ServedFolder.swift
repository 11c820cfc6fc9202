import HTTP

/// An application on one data folder that refuses requests for another.
struct ServedFolder: Application {
    private let folder: FolderIdentity
    private let application: any Application

    init(_ folder: FolderIdentity, _ application: any Application) {
        (self.folder, self.application) = (folder, application)
    }

    func respond(to request: Request) throws(HTTPError) -> EventualResponse {
        try folder.check(request)
        return try application.respond(to: request)
    }

    func response(to request: Request, failing error: HTTPError) -> Response {
        application.response(to: request, failing: error)
    }

    func response(refusing request: RefusedRequest, _ error: HTTPError) -> Response {
        application.response(refusing: request, error)
    }

    func admitBody(of request: Request) throws(HTTPError) -> BodyAdmission {
        try folder.check(request)
        return try application.admitBody(of: request)
    }

    func hasPriority(_ request: Request) -> Bool { application.hasPriority(request) }
}
