import Bytes

extension TimeZone {
    /// A zone with some changes of its clocks, for programs that have zones from elsewhere.
    ///
    /// - Parameters:
    ///   - firstOffset: the offset before the first change, in seconds east of UTC.
    ///   - changes: the moments of the changes, ascending, and the offset from each on.
    public init(name: String, firstOffset: Int, changes: [(moment: Timestamp, offset: Int)]) {
        self.init(
            name: name, transitions: changes.map(\.moment.seconds), offsets: changes.map(\.offset),
            firstOffset: firstOffset, rule: nil)
    }
}
