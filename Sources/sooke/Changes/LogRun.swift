import Bytes
import Journal
import Store

/// Reads the commits of a town: from the server on its folder or, if none runs, under the lock of the folder.
struct LogRun {
    let folder: String
    let console: Console
    /// Where to begin; nil for the newest position.
    let since: String?
    let follows: Bool

    /// Passes the lines of `sooke log` on, in pieces.
    func read(_ output: @escaping @Sendable ([UInt8]) throws(CommandError) -> Void) throws(CommandError) {
        var target = "/api/v1/admin/log?follow=\(follows)"
        if let since { target += "&since=\(since)" }
        let request = AdminRequest(method: "GET", target: target)
        try DataFolder.requireStore(folder)
        try DataFolder.work(on: folder) { client throws(CommandError) in
            var response = try client.send(request)
            guard response.isSuccess else {
                throw CommandError(serverStatus: response.status, body: try response.body())
            }
            let ended = CommandError(
                .unavailable,
                "the server has ended the log; once it runs again, continue with --since and the last position")
            while true {
                let piece: [UInt8]?
                do throws(CommandError) {
                    piece = try response.next()
                } catch {
                    throw error.code == .unavailable ? ended : error
                }
                guard let piece else { break }
                try output(piece)
            }
            if follows { throw ended }
        } orHere: { () throws(CommandError) in
            guard !follows else {
                let command = "sooke serve --data \(ShellWord.quoted(folder))"
                throw CommandError(.unavailable, "no server runs on \(folder); start one with: \(command)")
            }
            do {
                // The history stays while the folder is locked.
                try DataFolder.use(folder, reads: true, console: console) { [since] store in
                    try Self.read(store, after: since, output)
                }
            } catch {
                throw CommandError(error)
            }
        }
    }

    private static func read(
        _ store: Store, after since: String?, _ output: ([UInt8]) throws(CommandError) -> Void
    ) throws {
        let version = store.current
        let start = since.map(CommitPosition.init) ?? version.position
        guard let start, var lines = try CommitLines(after: start, of: store, in: version) else {
            throw CommandError(
                .badData,
                "the log does not have the position \(since ?? ""), or no longer; the town is at \(version.position). "
                    + "Begin again with a backup, or a whole export")
        }
        try output(lines.head)
        if start == version.position { return try output(CommitLines.end(of: version)) }
        while let piece = try lines.next(in: version) { try output(piece) }
    }
}
