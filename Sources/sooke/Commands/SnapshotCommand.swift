extension Command {
    /// `sooke snapshot`
    static let snapshot = Command(
        name: "snapshot",
        summary: "Write a snapshot now",
        discussion: [
            """
            A snapshot makes the next start read less of the log. A server takes one by itself when the log has grown \
            by 64 MiB, and when it stops.
            """
        ],
        parameters: [Options.data.description],
        examples: [Example("sooke snapshot --data /var/lib/sooke", "Writes one, beside a running server or without.")],
        exitCodes: [.success, .badData, .locked, .inputOutput, .notPermitted, .configuration]
    ) { invocation throws(CommandError) in
        let console = invocation.console
        let folder = try invocation[Options.data]
        if let client = try LocalClient.connect(to: folder) {
            var response = try client.send(LocalRequest(method: "POST", target: "/api/v1/admin/snapshot"))
            let body = try response.body()
            guard response.isSuccess else { throw CommandError(serverStatus: response.status, body: body) }
            try console.print(body + [UInt8(ascii: "\n")])
            return .success
        }
        try DataFolder.requireStore(folder)
        do {
            let summary = try DataFolder.use(folder, console: console) { store in try await store.snapshot() }
            try console.print(summary.json + [UInt8(ascii: "\n")])
        } catch {
            throw CommandError(error)
        }
        return .success
    }
}
