import Bytes
import JSON

/// Why a command failed: a line for people, an exit code for scripts.
struct CommandError: Error, Equatable {
    let code: ExitCode
    /// What is wrong, where, and what to do next. One line, without a full stop.
    let message: String

    init(_ code: ExitCode, _ message: String) {
        (self.code, self.message) = (code, message)
    }

    init(invalidResponse error: JSONError) {
        self.init(.unavailable, "the server's response is invalid: \(error)")
    }
}

extension CommandError {
    /// - Parameter message: what is wrong, with the reason.
    static func readOnly(_ message: String, in folder: String) -> CommandError {
        CommandError(
            .unavailable, "\(message). To accept changes again: sooke read-only off --data \(ShellWord.quoted(folder))")
    }

    /// - Parameters:
    ///   - folder: the folder of the town; nil for a request that changes nothing.
    ///   - isServed: whether a running server has answered, and not this process.
    init(serverStatus status: Int, body: [UInt8], in folder: String? = nil, isServed: Bool = true) {
        let code: ExitCode =
            switch status {
            case 400, 409, 413, 422: .badData
            case 404: .noInput
            case 507: .inputOutput
            default: .unavailable
            }
        let error = Self.error(in: body)
        if error.code == "read_only", let message = error.message, let folder {
            self = .readOnly(message, in: folder)
        } else {
            let place = isServed ? "the server answered \(status): " : ""
            self.init(code, place + (error.message ?? "no reason given"))
        }
    }

    /// The code and the message of `{"error":{"code":…,"message":…,"fields":{…}}}`, with the invalid fields.
    private static func error(in body: [UInt8]) -> (code: String?, message: String?) {
        var (code, message): (String?, String?)
        var fields: [String] = []
        do throws(JSONError) {
            var reader = JSONReader(body)
            try reader.beginObject()
            guard try reader.nextKey() == "error" else { return (nil, nil) }
            try reader.beginObject()
            while let key = try reader.nextKey() {
                switch key {
                case "code": code = try reader.readString()
                case "message": message = try reader.readString()
                case "fields":
                    try reader.beginObject()
                    while let field = try reader.nextKey() { fields.append("\(field) \(try reader.readString())") }
                default: try reader.skipValue()
                }
            }
        } catch {
            return (code, message)
        }
        return (code, fields.isEmpty ? message : "\(message ?? "bad fields"): \(fields.joined(separator: "; "))")
    }
}
