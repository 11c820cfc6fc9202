import HTTP
import Platform

/// The identity of the folder at a path, whatever its name: its device and inode.
///
/// A copy with hard links (`cp -al`) contains the socket of the original folder. So a command states the identity of
/// its folder, and a server on another folder refuses.
struct FolderIdentity: Sendable, Equatable, CustomStringConvertible {
    /// The header field with the identity of the command's folder.
    static let field: StaticString = "Sooke-Folder"

    /// `DEVICE:INODE` in decimal digits.
    let description: String

    /// The identity of the folder at a path.
    init(_ path: String) throws(SystemError) {
        let identity = try FileDescriptor.workingFolder.status(of: path).identity
        description = "\(identity.device):\(identity.number)"
    }

    /// Refuses a request for another folder. A request without the field, such as one of curl, is accepted.
    func check(_ request: Request) throws(HTTPError) {
        guard request.isLocal, let named = request.headers.text(Self.field), named != description else { return }
        throw HTTPError(
            .misdirectedRequest, code: "other_folder",
            message: """
                the server behind admin.sock in this folder serves another folder, of which this may be a copy with hard \
                links: nothing was changed; copy it with `cp -a`, or restore a backup
                """)
    }
}
