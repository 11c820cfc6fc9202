import Bytes
import Journal
import Store

extension Command {
    private static let file = Parameter.required(
        "FILE", ValueSyntax.file, help: "Where the backup goes; - is standard output.")

    /// `sooke backup`
    static let backup = Command(
        name: "backup",
        summary: "Write the whole town into one file, to be restored",
        discussion: [
            """
            The file holds one version of the town, whatever comes in meanwhile, and proves by its last line that it \
            is whole. It comes into place when it is on disk and was read back; an older file of the name stays until \
            then. It works while a server runs on the folder and while none does.
            """,
            "Keep backups on another machine: two disks seldom die together.",
        ],
        parameters: [Options.data.description, file.description],
        examples: [
            Example("sooke backup --data /var/lib/sooke town.json", "Writes town.json, or replaces it."),
            Example("sooke backup - | ssh elsewhere 'cat > town.json'", "Sends it away at once."),
        ],
        exitCodes: [.success, .badData, .noInput, .locked, .inputOutput, .notPermitted, .configuration]
    ) { invocation throws(CommandError) in
        let console = invocation.console
        let name = try invocation[file]
        let folder = try invocation[Options.data]
        if name == "-" {
            try write(folder, console) { piece throws(CommandError) in try console.print(piece) }
            return .success
        }
        var output = try ReplacedFile(name)
        var length = 0
        try write(folder, console) { piece throws(CommandError) in
            try output.write(piece)
            length += piece.count
        }
        try output.sync()
        guard let origin = try origin(of: output.temporary) else {
            throw CommandError(.inputOutput, "the backup could not be read back; nothing was kept of it")
        }
        try output.install()
        try console.print(
            "\(name): the town after change \(origin.sequence) of \(origin.at.rfc3339), \(HumanNumber.bytes(length))\n")
        return .success
    }

    /// Asks the server that runs on the folder, or reads the folder when none does.
    private static func write(
        _ folder: String, _ console: Console, to output: ([UInt8]) throws(CommandError) -> Void
    ) throws(CommandError) {
        if let client = try LocalClient.connect(to: folder) {
            var response = try client.send(LocalRequest(method: "GET", target: "/api/v1/admin/backup"))
            guard response.isSuccess else {
                throw CommandError(serverStatus: response.status, body: try response.body())
            }
            while let piece = try response.next() { try output(piece) }
            return
        }
        try DataFolder.requireStore(folder)
        do {
            let backup = try DataFolder.use(folder, console: console) { store in
                var pieces: [[UInt8]] = []
                store.writeBackup(of: store.current) { pieces.append($0) }
                return pieces
            }
            for piece in backup { try output(piece) }
        } catch {
            throw CommandError(error)
        }
    }

    private static func origin(of file: String) throws(CommandError) -> CheckedDocument.Origin? {
        do throws(JournalError) {
            return try FolderCopy.origin(ofSnapshot: file)
        } catch {
            throw CommandError(error)
        }
    }
}
