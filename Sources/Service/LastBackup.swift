import Bytes

/// When a town was last backed up, and the failure since.
package struct LastBackup: Sendable {
    /// When a backup was made, or found to have the town as it is; nil for never.
    package var at: Timestamp?
    /// When one failed since then, and why; nil for no failure.
    package var failure: (at: Timestamp, reason: String)?

    package init() {}
}
