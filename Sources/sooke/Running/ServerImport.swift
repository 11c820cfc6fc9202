import Bytes
import Exchange
import HTTP
import JSON
import Platform
import Synchronization

/// An import through the server on a folder.
struct ServerImport {
    let folder: String
    /// What the server is to do besides; a dry run changes nothing.
    let parameters: [(name: String, value: String)]
    let isDryRun: Bool
    let progress: PhasedProgress

    /// The phase in which the server receives the files.
    static let sending = "sending"
    /// The phase in which it has them, and has not told how far it is.
    private static let waiting = "waiting for the server"

    /// Sends the files, and waits for the result.
    func run(
        _ files: [ImportFile], through client: consuming AdminClient
    ) throws(CommandError) -> ImportRun.Outcome {
        let query = [("dry_run", "\(isDryRun)")] + parameters.map { ($0.name, PercentCoding.encode($0.value.utf8)) }
        let target = "/api/v1/admin/import?" + query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        let doubt = "the import may have been committed: run it again to check, it changes nothing twice"
        let watch = try ServerImportWatch(folder, progress)
        defer { watch.stop() }
        let body = body(FileBundle.bytes(of: files)) { watch.begin() }
        progress.isServed = true
        var response = try client.send(
            AdminRequest(method: "POST", target: target, body: body, doubt: isDryRun ? nil : doubt))
        return try result(response.status, try response.body(limit: 1 << 30))
    }

    /// The body in pieces, with the progress of sending them.
    private func body(_ bytes: [UInt8], sent isSent: @escaping () -> Void) -> AdminBody {
        let progress = progress
        var sent = 0
        return AdminBody(type: "application/octet-stream") {
            if sent == bytes.count {
                progress.update(Self.waiting, .things("record"), done: 0, of: nil)
                isSent()
                return []
            }
            progress.update(Self.sending, .bytes, done: sent, of: bytes.count)
            let piece = Array(bytes[sent..<min(bytes.count, sent + 1 << 20)])
            sent += piece.count
            return piece
        }
    }

    private func result(
        _ status: Int, _ body: [UInt8]
    ) throws(CommandError) -> ImportRun.Outcome {
        do throws(JSONError) {
            var reader = JSONReader(body, limits: .trusted)
            switch status {
            case 200: return .imported(try ImportAnswer(from: &reader), firstClocks: nil)
            case 422: return try Self.refusal(&reader)
            default: throw reader.error("an unexpected response")
            }
        } catch {
            throw CommandError(serverStatus: status, body: body, in: folder)
        }
    }

    /// What `{"error":{"message":…,"problems":[…],…}}` says.
    private static func refusal(_ reader: inout JSONReader) throws(JSONError) -> ImportRun.Outcome {
        try reader.beginObject()
        guard try reader.nextKey() == "error" else { throw reader.error("an unexpected response") }
        try reader.beginObject()
        var (summary, problems) = ("", nil as [String]?)
        while let key = try reader.nextKey() {
            switch key {
            case "message": summary = try reader.readString()
            case "problems": problems = try reader.readTexts()
            default: try reader.skipValue()
            }
        }
        guard let problems else { throw reader.error("an unexpected response") }
        return .refused(summary: summary, problems: problems)
    }
}

/// Asks a server how far its import has come, from its begin until it is stopped.
private final class ServerImportWatch: Sendable {
    private let folder: String
    private let progress: PhasedProgress
    private let isStopped = Atomic<Bool>(false)
    private let stopping: Wakeup
    private let isBegun = Atomic<Bool>(false)
    /// From one question to the next, in milliseconds.
    private static let interval: Int32 = 200

    init(_ folder: String, _ progress: PhasedProgress) throws(CommandError) {
        (self.folder, self.progress) = (folder, progress)
        do throws(SystemError) {
            stopping = try Wakeup()
            try Thread.start { [self] in
                while !isStopped.load(ordering: .relaxed) {
                    _ = stopping.wait(milliseconds: Self.interval)
                    guard isBegun.load(ordering: .relaxed) else { continue }
                    // Without an answer the progress stays as it is: the import itself reports what is wrong.
                    try? ask()
                }
            }
        } catch {
            throw CommandError(.inputOutput, "cannot start a thread: \(error)")
        }
    }

    /// Asks from now on: before, the import of another client may be under way.
    func begin() {
        isBegun.store(true, ordering: .relaxed)
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        stopping.signal()
    }

    private func ask() throws {
        guard let client = try AdminClient.connect(to: folder) else { return }
        var response = try client.send(AdminRequest(method: "GET", target: "/api/v1/admin/import"))
        guard response.isSuccess else { return }
        var reader = JSONReader(try response.body())
        var (phase, done, total): (String?, Int, Int) = (nil, 0, 0)
        try reader.beginObject()
        while let key = try reader.nextKey() {
            switch key {
            case "phase": phase = try reader.readNull() ? nil : try reader.readString()
            case "done": done = try reader.readInt()
            case "total": total = try reader.readInt()
            default: try reader.skipValue()
            }
        }
        guard let phase, !isStopped.load(ordering: .relaxed) else { return }
        progress.update(phase: phase, done: done, of: total)
    }
}
