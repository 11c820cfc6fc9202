import API
import Dispatcher
import Bytes
import HTTP
import JSON
import Platform
import Service
import SookeModel
import Store

/// An administrative request to a town. It is sent to the server on the folder or, if none runs, handled by the same
/// API in this process.
struct AdminCall {
    /// How a command ends that sends some, and one that only reads.
    static let exitCodes: [ExitCode] = [
        .success, .badData, .noInput, .unavailable, .locked, .inputOutput, .unanswered, .notPermitted, .configuration,
    ]
    static let exitCodesOfReading = exitCodes.filter { $0 != .unanswered }

    private let method: HTTP.Method
    private let target: String
    private let body: [UInt8]
    /// What is wrong where no server runs on the folder; nil when this process handles the request then.
    var needsServer: String?

    /// A request; `body` is JSON.
    init(_ method: HTTP.Method, _ target: String, body: [UInt8] = []) {
        (self.method, self.target, self.body) = (method, target, body)
    }

    /// A request whose body is an object with string members.
    init(_ method: HTTP.Method, _ target: String, _ members: [(name: String, value: String?)]) {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in members {
            guard let value else { continue }
            writer.key(name)
            writer.string(value)
        }
        writer.endObject()
        self.init(method, target, body: writer.bytes)
    }

    /// - Throws: the message of the response unless its status is 2xx.
    func send(_ folder: String, _ console: Console) throws(CommandError) -> [UInt8] {
        let (status, answer, isServed) = try response(folder, console)
        guard 200...299 ~= status else {
            throw CommandError(serverStatus: status, body: answer, in: folder, isServed: isServed)
        }
        return answer
    }

    func printResponse(_ folder: String, _ console: Console) throws(CommandError) {
        try console.print(try send(folder, console) + [ASCII.lineFeed])
    }

    private typealias Answer = (status: Int, body: [UInt8], isServed: Bool)

    private func response(_ folder: String, _ console: Console) throws(CommandError) -> Answer {
        try DataFolder.work(on: folder) { client throws(CommandError) in
            try response(of: client)
        } orHere: { () throws(CommandError) in
            if let needsServer { throw CommandError(.unavailable, needsServer) }
            return try responseHere(folder, console)
        }
    }

    private func response(of client: consuming AdminClient) throws(CommandError) -> Answer {
        let body = body.isEmpty ? nil : AdminBody.bytes(body, type: "application/json")
        let doubt = method.isSafe ? nil : "the change may have been made: look before you try again"
        var response = try client.send(AdminRequest(method: method.name, target: target, body: body, doubt: doubt))
        return (response.status, try response.body(limit: 1 << 30), true)
    }

    private func responseHere(_ folder: String, _ console: Console) throws(CommandError) -> Answer {
        try DataFolder.requireStore(folder)
        let (method, target, body) = (method, target, body)
        do {
            return try DataFolder.use(folder, reads: method.isSafe, console: console) { store in
                let zones = TimeZones(file: TimeZoneDatabase().file(named:))
                let audit = try AuditLog(in: folder)
                defer { audit.close() }
                let service = TownService(
                    store: store, clock: .system, zones: zones, zone: try zones.zone(named: "Etc/UTC"), audit: audit,
                    lastBackup: LastBackup.reading(folder))
                let dispatcher = Dispatcher(
                    API(administration: .local(store, ServingProcess(folder))), service: service,
                    crossOrigin: CrossOrigin(allowing: []))
                let request = try Request(
                    method, target, headers: body.isEmpty ? [] : [("Content-Type", "application/json")], body: body,
                    peer: .local(uid: 0, pid: 0))
                let response = await dispatcher.response(to: request)
                return (response.status.code, response.body, false)
            }
        } catch {
            throw CommandError(error)
        }
    }
}
