import Store

/// What a start does with the records of a folder that an earlier disk format has written.
enum FormatUpgrade {
    /// Called after the backup `before-format-4.json` was made, and before anything else is written or a server
    /// listens; then again at each start, until the newest snapshot and the log after it have the current format. So it
    /// must find out what is still to do, and nothing may be to do.
    ///
    /// - Parameter format: the oldest that was read.
    static func complete(_ store: Store, from format: Int) throws {}
}
