import API
import Bytes
import Dispatcher
import Platform

/// A client of the server on a data folder, through the unix socket in the folder. One connection carries one request.
///
/// ```swift
/// if let client = try AdminClient.connect(to: folder) {
///     var response = try client.send(AdminRequest(method: "POST", target: "/api/v1/admin/snapshot"))
/// }
/// ```
struct AdminClient: ~Copyable {
    static let socketName = "admin.sock"

    private let socket: UnixSocket
    private let path: String
    private let folder: FolderIdentity

    /// Connects to the server on a folder; nil when none runs.
    ///
    /// - Throws: when a server may be running but cannot be reached or trusted.
    static func connect(to folder: String) throws(CommandError) -> AdminClient? {
        let path = "\(folder)/\(socketName)"
        try FolderOwner.requirePrivate(folder)
        let socket: UnixSocket
        let (identity, owner): (FolderIdentity, UInt32)
        do throws(SystemError) {
            identity = try FolderIdentity(folder)
            owner = try FileDescriptor.workingFolder.status(of: folder).user
            socket = try UnixSocket(folder: folder, name: socketName)
        } catch {
            if error.isMissing || error.isRefused { return nil }
            if error.isForbidden {
                throw CommandError(.notPermitted, "may not open \(path); run this as the user that runs the server")
            }
            throw CommandError(.inputOutput, "cannot connect to \(path): \(error)")
        }
        let server = socket.listeningUser
        guard [0, owner, UserIdentity.current].contains(server) else {
            throw CommandError(
                .notPermitted,
                "\(path) is served by user \(server), who is neither root nor the owner of the folder, so nothing was "
                    + "sent to it. Find out what that process is, and who can write to \(folder)")
        }
        return AdminClient(socket: socket, path: path, folder: identity)
    }

    private init(socket: consuming UnixSocket, path: String, folder: FolderIdentity) {
        self.socket = socket
        (self.path, self.folder) = (path, folder)
    }

    /// Sends the request and waits for the head of the response. An early response ends the sending.
    consuming func send(_ request: AdminRequest) throws(CommandError) -> AdminResponse {
        let isWhole = try transmit(head(of: request)) ? try transmit(request.body) : false
        let ending = ending(of: request, isWhole)
        return try AdminResponse(socket: socket, path: path, ending: ending)
    }

    /// The error of the command if the server closes the connection before it responds.
    private func ending(of request: AdminRequest, _ isWhole: Bool) -> CommandError {
        guard isWhole else {
            return CommandError(
                .unavailable, "the server at \(path) stopped before it had the whole request; nothing was changed")
        }
        guard let doubt = request.doubt else {
            return CommandError(.unavailable, "the server at \(path) stopped before it answered")
        }
        return CommandError(.unanswered, "the server stopped before it answered; \(doubt)")
    }

    /// Whether the other side received the whole body.
    private func transmit(_ body: AdminBody?) throws(CommandError) -> Bool {
        guard let body else { return true }
        while true {
            let bytes = try body.next()
            guard try transmit(Self.chunk(bytes)) else { return false }
            if bytes.isEmpty { return true }
        }
    }

    /// Whether the other side still receives.
    private func transmit(_ bytes: [UInt8]) throws(CommandError) -> Bool {
        do {
            return try socket.send(bytes)
        } catch {
            throw CommandError(.inputOutput, "cannot write to \(path): \(error)")
        }
    }

    private func head(of request: AdminRequest) -> [UInt8] {
        var head: [UInt8] = []
        head.append(request.method)
        head.append(utf8: " \(request.target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n")
        head.append(utf8: "\(AllowedHosts.folderField): \(folder)\r\n")
        if let accepted = request.accepted {
            head.append("Accept: ")
            head.append(accepted)
            head.append("\r\n")
        }
        if let body = request.body {
            head.append("Transfer-Encoding: chunked\r\nContent-Type: ")
            head.append(body.type)
            head.append("\r\n")
        }
        head.append("\r\n")
        return head
    }

    /// Bytes as a chunk (RFC 9112, section 7.1); an empty array as the last one.
    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        var chunk = Array("\(String(bytes.count, radix: 16))\r\n".utf8)
        chunk += bytes
        chunk.append("\r\n")
        return chunk
    }
}

/// A request to the administration of a running server.
struct AdminRequest {
    /// `GET`, or `POST` for changes.
    let method: StaticString
    /// Path and query.
    let target: String
    /// The media type that the response should have; nil for any.
    var accepted: StaticString?
    var body: AdminBody?
    /// The advice for the user when the server received the whole request and stopped before it responded; nil when the
    /// request changes nothing.
    var doubt: String?
}

/// A body that is read while it is sent, so that it may have any size.
struct AdminBody {
    /// The media type.
    let type: StaticString
    /// The next bytes; none at the end.
    let next: () throws(CommandError) -> [UInt8]

    static func bytes(_ bytes: [UInt8], type: StaticString) -> AdminBody {
        var rest = [bytes]
        return AdminBody(type: type) { rest.popLast() ?? [] }
    }

    /// A file from its current position to its end.
    ///
    /// - Parameter name: the name of the file in errors.
    static func file(_ file: FileDescriptor, named name: String, type: StaticString) -> AdminBody {
        AdminBody(type: type) { () throws(CommandError) in
            do {
                return try file.read(upTo: 64 << 10)
            } catch {
                throw CommandError(.inputOutput, "cannot read \(name): \(error)")
            }
        }
    }
}
