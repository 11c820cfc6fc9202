import Bytes
import HTTP
import JSON

/// A message of a server, for people or as a line of the log in JSON.
///
/// ```
/// sooke: the files in town are sound again
/// {"time":"2026-11-21T09:30:00.123456Z","level":"info","message":"the files in town are sound again"}
/// ```
struct LogMessage {
    /// The importance of a message.
    enum Level: String {
        case info, warning, error
    }

    private let level: Level
    private let message: String
    private let members: (inout JSONWriter) -> Void

    /// A message without a line feed at its end.
    ///
    /// - Parameter members: writes further members of the JSON object.
    init(_ level: Level, _ message: String, members: @escaping (inout JSONWriter) -> Void = { _ in }) {
        (self.level, self.message, self.members) = (level, message, members)
    }

    /// The message with a line feed at its end.
    func text(isJSON: Bool) -> String {
        guard isJSON else { return "sooke: \(message)\n" }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("time", TimeSource.system.wall().rfc3339)
        writer.member("level", level.rawValue)
        writer.member("message", message)
        members(&writer)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self) + "\n"
    }
}
