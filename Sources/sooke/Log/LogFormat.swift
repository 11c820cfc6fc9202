/// The format of the access log on standard output.
enum LogFormat: String, Sendable, CaseIterable {
    /// `key=value` separated by spaces.
    case text
    /// A JSON object per line.
    case json
    /// No access log.
    case off
}
