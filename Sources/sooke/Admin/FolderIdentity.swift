import HTTP
import Platform

/// Which folder a path leads to, whatever its name: the numbers of its device and of its inode.
///
/// A copy with hard links (`cp -al`) has the socket of the folder that it was made of in it. So a command says which
/// folder it means, and a server that serves another one refuses.
struct FolderIdentity: Sendable, Equatable, CustomStringConvertible {
    /// The header field in which a command names its folder.
    static let field: StaticString = "Sooke-Folder"

    /// `DEVICE:INODE` in decimal digits.
    let description: String

    /// The folder that a path leads to.
    init(_ path: String) throws(SystemError) {
        let identity = try FileDescriptor.workingFolder.status(of: path).identity
        description = "\(identity.device):\(identity.number)"
    }

    /// Refuses a request that means another folder. One that names none, such as curl's, means whichever is served.
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
