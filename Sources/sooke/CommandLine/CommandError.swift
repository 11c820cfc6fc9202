import Bytes
import JSON

/// Why a command failed: a line for people, an exit code for scripts.
struct CommandError: Error, Equatable {
    /// The exit code of the process.
    let code: ExitCode
    /// What is wrong, where, and what to do next. One line, without a full stop.
    let message: String

    /// An error that ends the command.
    init(_ code: ExitCode, _ message: String) {
        (self.code, self.message) = (code, message)
    }

    /// A response of the server that cannot be read.
    init(invalidResponse error: JSONError) {
        self.init(.unavailable, "the server's response is invalid: \(error)")
    }
}

extension CommandError {
    /// The error of a command for an error response of the running server.
    init(serverStatus status: Int, body: [UInt8]) {
        let code: ExitCode =
            switch status {
            case 400, 409, 413, 422: .badData
            case 404: .noInput
            case 507: .inputOutput
            default: .unavailable
            }
        self.init(code, "the server answered \(status): \(Self.message(body) ?? "no reason given")")
    }

    /// The message of `{"error":{"code":…,"message":…,"fields":{…}}}`, with the invalid fields.
    private static func message(_ body: [UInt8]) -> String? {
        var message: String?
        var fields: [String] = []
        do throws(JSONError) {
            var reader = JSONReader(body)
            try reader.beginObject()
            guard try reader.nextKey() == "error" else { return nil }
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case "message": message = try reader.readString()
                case "fields":
                    try reader.beginObject()
                    while let field = try reader.nextKey() { fields.append("\(field) \(try reader.readString())") }
                default: try reader.skipValue()
                }
            }
        } catch {
            return message
        }
        return fields.isEmpty ? message : "\(message ?? "bad fields"): \(fields.joined(separator: "; "))"
    }
}
