/// The layout of a table in a CSV file: its columns follow from the fields of the record.
///
/// References may be given in the forms of `Reference`. The ID is the last column.
public struct CSVLayout<Value: Record>: Sendable {
    /// The fields of the first columns, beginning with the one that the slug is made from.
    public let first: [String]
    /// A column that no other table has.
    public let ownColumn: String
    /// The hours, which have a column for each day of the week. An empty cell means no hours; the hours of a day
    /// without a column stay unchanged.
    public let hours: (WritableKeyPath<Value, [DayHours]> & Sendable)?

    /// A layout; the other columns follow in the order of the fields.
    public init(first: [String], ownColumn: String, hours: (WritableKeyPath<Value, [DayHours]> & Sendable)? = nil) {
        (self.first, self.ownColumn, self.hours) = (first, ownColumn, hours)
    }
}
