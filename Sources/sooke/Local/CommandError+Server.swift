import Bytes
import JSON

extension CommandError {
    /// How an answer of the running server that is no good ends a command.
    init(serverStatus status: Int, body: [UInt8]) {
        let code: ExitCode =
            switch status {
            case 400, 413, 422: .badData
            case 507: .inputOutput
            default: .unavailable
            }
        self.init(code, "the server answered \(status): \(Self.message(body) ?? "no reason given")")
    }

    /// The message of `{"error":{"code":…,"message":…}}`.
    private static func message(_ body: [UInt8]) -> String? {
        var reader = JSONReader(body)
        do throws(JSONError) {
            try reader.beginObject()
            guard try reader.nextKey() == "error" else { return nil }
            try reader.beginObject()
            while let key = try reader.nextKey() {
                if key == "message" { return try reader.readString() }
                try reader.skipValue()
            }
        } catch {
            return nil
        }
        return nil
    }
}
