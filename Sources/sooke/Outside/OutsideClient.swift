import Bytes
import Platform

/// Asks the server on the socket for `sooke outside`.
struct OutsideClient: Sendable {
    let socket: String

    /// - Returns: nil when there is nothing.
    /// - Throws: `configuration` where this process must not go on.
    func ask(_ call: AdminCall) throws(CommandError) -> ResponseMembers? {
        var client = try AdminClient.connect(toOutside: socket)
        try client.send(call)
        let body = try client.body()
        guard 200...299 ~= client.status else {
            let message = (try? ResponseMembers(body))?["error.message"] ?? "no reason given"
            throw CommandError(client.status == 409 ? .configuration : .unavailable, message)
        }
        return body.isEmpty ? nil : try ResponseMembers(body)
    }
}
