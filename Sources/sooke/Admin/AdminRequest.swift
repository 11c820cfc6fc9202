import Platform

/// A request to the administration of a running server.
struct AdminRequest {
    /// `GET`, or `POST` for what changes something.
    let method: StaticString
    /// Path and query.
    let target: String
    /// What goes with it.
    var body: AdminBody?
    /// What a person should know when the server has the whole request and stops before it answers; nil when the
    /// request changes nothing.
    var doubt: String?
}

/// A body that is read while it is sent, so that its size does not matter.
struct AdminBody {
    /// The media type.
    let type: StaticString
    /// The next bytes; none at the end.
    let next: () throws(CommandError) -> [UInt8]

    /// A body that is in memory.
    static func bytes(_ bytes: [UInt8], type: StaticString) -> AdminBody {
        var rest = [bytes]
        return AdminBody(type: type) { rest.popLast() ?? [] }
    }

    /// A file from where it stands to its end.
    ///
    /// - Parameter name: what an error calls the file.
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
