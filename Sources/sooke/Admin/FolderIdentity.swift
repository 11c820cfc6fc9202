import Platform

/// The identity of the folder at a path, whatever its name: its device and inode. See `AllowedHosts`.
struct FolderIdentity: Sendable, Equatable, CustomStringConvertible {
    /// `DEVICE:INODE` in decimal digits.
    let description: String

    /// The identity of the folder at a path.
    init(_ path: String) throws(SystemError) {
        let identity = try FileDescriptor.workingFolder.status(of: path).identity
        description = "\(identity.device):\(identity.number)"
    }
}
