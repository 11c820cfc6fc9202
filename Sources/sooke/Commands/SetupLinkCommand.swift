import Bytes
import JSON

extension Command {
    /// `sooke setup-link`
    static let setupLink = Command(
        name: "setup-link",
        summary: "Print a new link for the first account",
        discussion: [
            """
            A server without an account prints a link when it starts; whoever opens it makes the first account, of an \
            administrator. The link is good once, for 30 minutes. This prints a new one, and ends the one before.
            """
        ],
        parameters: [Options.data.description],
        examples: [Example("sooke setup-link --data /var/lib/sooke", "Prints the address to open in a browser.")],
        exitCodes: AdminCall.exitCodes
    ) { invocation throws(CommandError) in
        var call = AdminCall(.post, "/api/v1/admin/setup-link")
        let serve = "sooke serve\(try invocation.dataHint)"
        call.needsServer = "no server runs on this folder; start one, and it prints a link: \(serve)"
        let answer = try call.send(try invocation[Options.data], invocation.console)
        try invocation.console.print(try link(in: answer) + "\n")
        return .success
    }

    private static func link(in answer: [UInt8]) throws(CommandError) -> String {
        do throws(JSONError) {
            var reader = JSONReader(answer, limits: .trusted)
            try reader.beginObject()
            guard try reader.nextKey() != nil else { throw reader.error("no link") }
            return try reader.readString()
        } catch {
            throw CommandError(.inputOutput, "cannot read the answer of the server: \(error)")
        }
    }
}
