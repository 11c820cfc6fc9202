extension Command {
    /// `sooke status`
    static let status = Command(
        name: "status",
        summary: "Tell how the town in a data folder is doing",
        discussion: ["It prints one JSON object: counts, sequence number, sizes of the log and of the snapshots."],
        parameters: [Options.data.description],
        examples: [Example("sooke status --data /var/lib/sooke", "Asks the running server, or reads the folder.")],
        exitCodes: [.success, .badData, .locked, .inputOutput, .notPermitted, .configuration]
    ) { invocation throws(CommandError) in
        let console = invocation.console
        let folder = try invocation[Options.data]
        if let client = try LocalClient.connect(to: folder) {
            var response = try client.send(LocalRequest(method: "GET", target: "/api/v1/admin/status"))
            let body = try response.body()
            guard response.isSuccess else { throw CommandError(serverStatus: response.status, body: body) }
            try console.print(body + [UInt8(ascii: "\n")])
            return .success
        }
        try DataFolder.requireStore(folder)
        do {
            let json = try DataFolder.use(folder, console: console) { store in await StatusReport(store).json }
            try console.print(json + [UInt8(ascii: "\n")])
        } catch {
            throw CommandError(error)
        }
        return .success
    }
}
