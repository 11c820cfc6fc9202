/// The formats of export.
public enum ExportFormat: String, Sendable, CaseIterable {
    /// One JSON document with all collections.
    case json
    /// One record per line, as `{"business":{…}}`.
    case ndjson
    /// A table of businesses or of events.
    case csv
}
