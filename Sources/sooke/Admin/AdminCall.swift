import API
import Bytes
import Dispatcher
import HTTP
import JSON
import Platform
import Service
import SookeModel
import Store

/// A request to a town. It is sent to the server on the folder or, if none runs, handled by the same API in this
/// process.
struct AdminCall {
    static let exitCodes: [ExitCode] = [
        .success, .badData, .noInput, .unavailable, .locked, .inputOutput, .unanswered, .notPermitted, .configuration,
    ]
    static let exitCodesOfReading = exitCodes.filter { $0 != .unanswered }

    struct Refusal {
        let status: Int
        let body: [UInt8]
        /// Whether a running server has answered, and not this process.
        let isServed: Bool
    }

    let method: HTTP.Method
    let target: String
    let body: [UInt8]
    var bodyType: StaticString = "application/json"
    /// The version that it changes, as `If-Match` has it; nil for any.
    var version: String?
    /// Advice when the server stopped between the whole request and its response; nil when the request changes nothing.
    var doubt: String?
    /// What is wrong where no server runs on the folder; nil when this process handles the request then.
    var needsServer: String?
    /// The advice for the user when the server ends a body that has no end.
    var continuing: (() -> String)?
    var progress: ImportWatch?

    init(_ method: HTTP.Method, _ target: String, body: [UInt8] = []) {
        (self.method, self.target, self.body) = (method, target, body)
        if !method.isSafe { doubt = "the change may have been made: look before you try again" }
    }

    init(_ method: HTTP.Method, _ target: String, _ members: [(name: String, value: String?)]) {
        let body = JSONWriter.object { writer in
            for case (let name, let value?) in members {
                writer.key(name)
                writer.string(value)
            }
        }
        self.init(method, target, body: body)
    }

    /// A request whose response may go on without end, if a server runs on the folder.
    init(following folder: String, _ target: String, forever follows: Bool) {
        self.init(.get, "\(target)&follow=\(follows)")
        guard follows else { return }
        let command = "sooke serve --data \(ShellWord.quoted(folder))"
        needsServer = "no server runs on \(folder); start one with: \(command)"
        continuing = { "once it runs again, continue with --since and the last position" }
    }

    /// - Throws: the message of the response unless its status is 2xx.
    func send(_ folder: String, _ console: Console) throws(CommandError) -> [UInt8] {
        var body: [UInt8] = []
        try read(folder, console) { body += $0 }
        return body
    }

    func printResponse(_ folder: String, _ console: Console) throws(CommandError) {
        try console.print(try send(folder, console) + [ASCII.lineFeed])
    }

    func read(
        _ folder: String, _ console: Console, _ output: ([UInt8]) throws(CommandError) -> Void
    ) throws(CommandError) {
        if let refusal = try response(folder, console, output) { throw CommandError(refusal, in: folder) }
    }

    /// Passes the body of a response with the status 2xx on, and returns another one.
    func response(
        _ folder: String, _ console: Console, _ output: ([UInt8]) throws(CommandError) -> Void
    ) throws(CommandError) -> Refusal? {
        try DataFolder.work(on: folder) { client throws(CommandError) in
            try client.send(self)
            guard 200...299 ~= client.status else {
                return Refusal(status: client.status, body: try client.body(), isServed: true)
            }
            do throws(CommandError) {
                while let piece = try client.next() { try output(piece) }
            } catch {
                guard continuing != nil, error.code == .unavailable else { throw error }
            }
            if let continuing { throw CommandError(.unavailable, "the server has ended the stream; \(continuing())") }
            return nil
        } orHere: { () throws(CommandError) in
            if let needsServer { throw CommandError(.unavailable, needsServer) }
            let response = try responseHere(folder, console)
            guard 200...299 ~= response.status.code else {
                return Refusal(status: response.status.code, body: response.body, isServed: false)
            }
            switch response.content {
            case .bytes(let bytes): try output(bytes)
            case .stream(let stream):
                guard try stream.forEachPart(output) else {
                    let command = "sooke verify --data \(ShellWord.quoted(folder))"
                    throw CommandError(.inputOutput, "not all of it could be read; look with: \(command)")
                }
            }
            return nil
        }
    }

    var versionField: [(String, String)] { version.map { [("If-Match", "\"\($0)\"")] } ?? [] }

    /// The body may be read while the folder is free again: a version is independent of its store.
    private func responseHere(_ folder: String, _ console: Console) throws(CommandError) -> Response {
        if progress == nil { try DataFolder.requireStore(folder) }
        let (method, target, body, progress) = (method, target, body, progress)
        let headers = (body.isEmpty ? [] : [("Content-Type", "\(bodyType)")]) + versionField
        let reads = method.isSafe || progress?.onlyReads == true
        return try CommandError.translating {
            try DataFolder.use(folder, reads: reads, console: console) { store in
                let database = TimeZoneDatabase()
                let zones = TimeZones(database)
                let zone = try zones.zone(named: progress?.clocks.likelyZone(in: database) ?? "Etc/UTC")
                let audit = reads && !target.hasPrefix(AuditEntry.path) ? nil : try AuditLog(in: folder)
                defer { audit?.close() }
                let service = TownService(
                    store: store, clock: .system, zones: zones, zone: zone, audit: audit,
                    lastBackup: LastBackup.reading(folder))
                let process = ServingProcess(folder)
                let dispatcher = Dispatcher(
                    API(administration: Administration(observer: progress) { process.facts }), service: service,
                    crossOrigin: CrossOrigin(allowing: []), build: BuildInfo.line)
                let request = try Request(
                    method, target, headers: headers, body: body,
                    peer: .local(uid: 0, pid: 0))
                let response = await withCheckedContinuation { continuation in
                    dispatcher.respond(to: request) { continuation.resume(returning: $0) }
                }
                // What a response to a client only indicates.
                if response.status == .insufficientStorage, let failure = store.problems.writes { throw failure }
                return response
            }
        }
    }
}

extension CommandError {
    init(_ refusal: AdminCall.Refusal, in folder: String) {
        let code: ExitCode =
            switch refusal.status {
            case 400, 409, 413, 422: .badData
            case 404: .noInput
            case 507: .inputOutput
            default: .unavailable
            }
        // `{"error":{"code":…,"message":…,"fields":{…}}}`
        let error = try? ResponseMembers(refusal.body)
        var message = error?["error.message"]
        if error?["error.code"] == "read_only", let message {
            self = .readOnly(message, in: folder)
            return
        }
        let fields = (error?.all(in: "error.fields") ?? []).map { "\($0.name) \($0.text)" }
        if !fields.isEmpty { message = "\(message ?? "bad fields"): \(fields.joined(separator: "; "))" }
        let place = refusal.isServed ? "the server answered \(refusal.status): " : ""
        self.init(code, place + (message ?? "no reason given"))
    }
}

/// The texts, numbers and truth values in a JSON response, by their paths: `feed.subscribers` is in an object.
struct ResponseMembers {
    private var members: [(path: String, text: String)] = []
    /// The elements of the array `items`, or `findings`.
    private(set) var items: [ResponseMembers] = []

    private init() {}

    init(_ body: [UInt8]) throws(CommandError) {
        do throws(JSONError) {
            var reader = JSONReader(body, limits: .trusted)
            try read(&reader, "")
            try reader.finish()
        } catch {
            throw CommandError(invalidResponse: error)
        }
    }

    private mutating func read(_ reader: inout JSONReader, _ path: String) throws(JSONError) {
        switch try reader.peek() {
        case .object:
            try reader.beginObject()
            while let key = try reader.nextKey() { try read(&reader, path.isEmpty ? key : "\(path).\(key)") }
        case .array:
            try reader.beginArray()
            while try reader.nextElement() {
                guard path == "items" || path == "findings" else {
                    try read(&reader, path)
                    continue
                }
                var item = ResponseMembers()
                try item.read(&reader, "")
                items.append(item)
            }
        case .string: members.append((path, try reader.readString()))
        case .bool, .number: members.append((path, String(decoding: try reader.readRaw(), as: UTF8.self)))
        case .null: try reader.skipValue()
        }
    }

    /// The first value of a path; nil when there is none, or it is null.
    subscript(path: String) -> String? { members.first { $0.path == path }?.text }

    func all(_ path: String) -> [String] { members.filter { $0.path == path }.map(\.text) }

    var texts: [(String, String)] { members.map { ($0.path, $0.text) } }

    /// A time as `2026-11-25 11:40:55 UTC`, in whole seconds.
    func time(_ path: String) -> String? {
        guard let text = self[path] else { return nil }
        guard let time = Timestamp(rfc3339: text) else { return text }
        return "\(time.rfc3339.prefix(19).split(separator: "T").joined(separator: " ")) UTC"
    }

    func number(_ path: String) -> Int? { self[path].flatMap { Int($0) } }

    func all(in object: String) -> [(name: String, text: String)] {
        members.compactMap { path, text in
            path.hasPrefix("\(object).") ? (String(path.dropFirst(object.count + 1)), text) : nil
        }
    }

    func required(_ path: String) throws(CommandError) -> String {
        guard let text = self[path] else {
            throw CommandError(.unavailable, "the server's response is invalid: it has no \(path)")
        }
        return text
    }
}
