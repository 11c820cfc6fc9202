import API
import Bytes
import Dispatcher
import HTTP
import JSON
import Platform
import Service
import Synchronization

/// What `sooke outside` may ask, on a socket of its own: for messages to send, and what became of them. It is another
/// server, so that no route of the town is there.
final class OutsideSocket: Application {
    static let due = "/mails/due", result = "/mails/result"

    private let service: TownService

    init(_ service: TownService) { self.service = service }

    static func server(_ service: TownService, at path: String) -> Server {
        var configuration = ServerConfiguration(listeners: [
            .unix(path: path, replacingStale: true, forGroup: true)
        ])
        configuration.loops = 1
        configuration.limits.connections = 8
        return Server(configuration: configuration, application: OutsideSocket(service))
    }

    func respond(to request: Request) throws(HTTPError) -> EventualResponse {
        let path = String(decoding: request.path.encoded, as: UTF8.self)
        switch (request.method, path) {
        case (.get, Self.due): return answer { try await self.due(request) }
        case (.post, Self.result):
            let report = try MailReport(body: request.body)
            return answer { [service] in
                try await service.reportMail(report)
                return Response(.noContent)
            }
        default:
            throw HTTPError(.forbidden, code: "forbidden", message: "this socket is only for messages to send")
        }
    }

    private func answer(_ work: @escaping @Sendable () async throws -> Response) -> EventualResponse {
        .later { deferred in
            Task {
                let result: Result<Response, HTTPError>
                do { result = .success(try await work()) } catch { result = .failure(HTTPError(error)) }
                deferred.send { () throws(HTTPError) in try result.get() }
            }
        }
    }

    private func due(_ request: Request) async throws -> Response {
        guard service.mail.program == nil else {
            throw HTTPError(
                .conflict, code: "sends_itself",
                message: "the server sends by --sendmail itself; start it without that, or stop `sooke outside`")
        }
        let from = try request.query.pairs().first { $0.name == "from" }?.value ?? ""
        guard MailMessage.isAddress(from) else { throw HTTPError.invalidParameter("from must be an e-mail address") }
        guard let message = try await service.takeMail(from: from) else { return Response(.noContent) }
        let body = JSONWriter.object { writer in
            writer.member("id", message.id)
            writer.member("to", message.to)
            writer.member("message", String(decoding: message.bytes, as: UTF8.self))
        }
        return Response(headers: ["Content-Type": "application/json"], body: body)
    }

    func admitBody(of request: Request) throws(HTTPError) -> BodyAdmission { BodyAdmission(limit: 64 << 10) }

    func response(to request: Request, failing error: HTTPError) -> Response { .error(error, request.id) }

    func response(refusing request: RefusedRequest, _ error: HTTPError) -> Response { .error(error, request.id) }
}

extension MailReport {
    fileprivate init(body: [UInt8]) throws(HTTPError) {
        guard let members = try? ResponseMembers(body), let id = members.number("id"),
            let outcome = members["outcome"].flatMap(Outcome.init(named:))
        else { throw .invalidParameter("the body must have an id and an outcome") }
        self.init(id, outcome, words: members["words"] ?? "", conversation: members["conversation"] ?? "")
    }
}
