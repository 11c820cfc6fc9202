import Bytes
import Store

/// A question to a town whose answer is one JSON object: put to the server that runs on the folder, or, when none
/// does, answered from the folder itself.
struct OwnerQuestion {
    /// The request to a running server.
    let request: LocalRequest
    /// The answer of the store, when this process opens it.
    let answer: @Sendable (Store) async throws -> [UInt8]

    /// Prints the answer.
    func ask(_ folder: String, _ console: Console) throws(CommandError) {
        if let client = try LocalClient.connect(to: folder) {
            var response = try client.send(request)
            let body = try response.body()
            guard response.isSuccess else { throw CommandError(serverStatus: response.status, body: body) }
            return try console.print(body + [ASCII.lineFeed])
        }
        try DataFolder.requireStore(folder)
        do {
            let body = try DataFolder.use(folder, console: console, answer)
            try console.print(body + [ASCII.lineFeed])
        } catch {
            throw CommandError(error)
        }
    }
}
