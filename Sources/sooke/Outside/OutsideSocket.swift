import API
import Bytes
import Dispatcher
import Exchange
import HTTP
import JSON
import Platform
import Service
import SookeModel
import Store
import Synchronization

/// What `sooke outside` may ask, on a socket of its own: for messages to send, and what became of them; for calendars
/// to fetch, and what they say. It is another server, so that no route of the town is there.
final class OutsideSocket: Application {
    static let due = "/mails/due", result = "/mails/result"
    static let dueCalendar = "/calendars/due", fetched = "/calendars/fetched"

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
        case (.get, Self.dueCalendar): return answer { self.dueCalendar() }
        case (.post, Self.fetched): return answer { try await self.fetched(request) }
        default:
            throw HTTPError(
                .forbidden, code: "forbidden", message: "this socket is only for messages to send and calendars")
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

    private func dueCalendar() -> Response {
        guard let fetch = service.takeFetch() else { return Response(.noContent) }
        let body = JSONWriter.object { writer in
            if let id = fetch.calendar { writer.member("calendar", id) }
            if let token = fetch.check { writer.member("check", token) }
            writer.member("address", fetch.address)
            writer.member("etag", fetch.etag ?? "")
            writer.member("last_modified", fetch.lastModified ?? "")
            writer.member("agent", "Sooke (+\(service.url))")
        }
        return Response(headers: ["Content-Type": "application/json"], body: body)
    }

    private func fetched(_ request: Request) async throws -> Response {
        var values: [String: String] = [:]
        for pair in try request.query.pairs() where !pair.value.isEmpty { values[pair.name] = pair.value }
        guard let outcome = values["outcome"].flatMap(FetchedAnswer.Outcome.init(named:)) else {
            throw HTTPError.invalidParameter("there must be an outcome")
        }
        var answer = FetchedAnswer(outcome, request.body)
        (answer.etag, answer.lastModified) = (values["etag"], values["last_modified"])
        answer.words = values["words"]
        if let id = values["calendar"].flatMap({ Int($0) }) {
            try await service.receive(answer, for: id, reading: service.readsCalendars)
        } else if let token = values["check"] {
            service.receive(answer, forCheck: token)
        }
        return Response(.noContent)
    }

    func admitBody(of request: Request) throws(HTTPError) -> BodyAdmission {
        let isCalendar = request.path.encoded.elementsEqual(Self.fetched.utf8)
        return BodyAdmission(limit: isCalendar ? CalendarFetcher.longest : 64 << 10)
    }

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

extension TownService {
    fileprivate var readsCalendars: CalendarReading {
        { [self] bytes, calendar, town, now in
            let options = ImportOptions(zone: clocks(of: town).zone) { [zones] in try? zones.zone(named: $0) }
            return PulledAnswer(bytes, of: calendar, in: town, at: now, options).map { answer in
                (answer.events, answer.leftOut.map(\.description))
            }
        }
    }

    fileprivate func receive(_ answer: FetchedAnswer, forCheck token: String) {
        var problem: CalendarPreview?
        if answer.outcome != .good {
            problem = CalendarPreview()
            problem?.problem = answer.words ?? "no answer"
        } else if !PulledAnswer.isWhole(answer.bytes) {
            problem = CalendarPreview()
            let address = fetches.calendar(ofCheck: token)?.address ?? ""
            problem?.links = CalendarLinks.found(in: answer.bytes, at: address)
            let isPage = problem?.links.isEmpty == false
            problem?.problem = isPage ? "this is a web page. Its calendars:" : "this is not a calendar"
        }
        receive(answer, forCheck: token, problem, reading: readsCalendars)
    }
}
