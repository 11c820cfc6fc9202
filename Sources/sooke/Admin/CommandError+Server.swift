import Bytes
import JSON

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
