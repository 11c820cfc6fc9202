import Bytes

/// The layout of a table in a CSV file: its columns follow from the fields of the record.
///
/// References may be given in the forms of `Reference`. The ID is the last column.
public struct CSVLayout<Value: Record>: Sendable {
    /// The fields of the first columns, beginning with the one that the slug is made from.
    public let first: [String]
    /// A column that no other table has.
    public let ownColumn: String
    /// The field `hours`, which has a column for each day of the week. An empty cell means no hours; the hours of a day
    /// without a column stay unchanged.
    public let hours: (WritableKeyPath<Value, [DayHours]> & Sendable)?
    /// The fields `starts_at` and `ends_at`, which may be given on the clocks of the record's zone.
    public let times: Times?
    /// What tells records of the same name apart; nil for kinds whose names are unique.
    public let distinction: Distinction?

    /// A start and an end.
    public struct Times: Sendable {
        /// The path to the start.
        public let start: WritableKeyPath<Value, Timestamp?> & Sendable
        /// The path to the end.
        public let end: WritableKeyPath<Value, Timestamp?> & Sendable

        /// The paths to both.
        public init(
            start: WritableKeyPath<Value, Timestamp?> & Sendable, end: WritableKeyPath<Value, Timestamp?> & Sendable
        ) {
            (self.start, self.end) = (start, end)
        }
    }

    /// What tells records of the same name apart.
    public enum Distinction: Sendable {
        /// A text, by the name of its field.
        case text(String, KeyPath<Value, String> & Sendable)
        /// The day of their start.
        case day(KeyPath<Value, Timestamp?> & Sendable)
    }

    /// A layout; the other columns follow in the order of the fields.
    public init(
        first: [String], ownColumn: String, hours: (WritableKeyPath<Value, [DayHours]> & Sendable)? = nil,
        times: Times? = nil, distinction: Distinction? = nil
    ) {
        (self.first, self.ownColumn, self.hours) = (first, ownColumn, hours)
        (self.times, self.distinction) = (times, distinction)
    }
}
