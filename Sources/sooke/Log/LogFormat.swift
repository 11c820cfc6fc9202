/// How answered requests are written to standard output.
enum LogFormat: String, Sendable, CaseIterable {
    /// `key=value` with spaces between.
    case text
    /// A JSON object a line.
    case json
    /// Not at all.
    case off
}
