import Platform

/// The owner of a data folder, for commands that root runs on it: the owner's service could not open files of root.
struct FolderOwner: Equatable, CustomStringConvertible {
    private let identity: UserIdentity

    /// The owner of a folder; nil when it is the user of this process, when this process is not root's, or when the
    /// folder does not exist.
    init?(of folder: String) {
        guard UserIdentity.isRoot, let status = try? FileDescriptor.workingFolder.status(of: folder), status.user != 0
        else { return nil }
        identity = UserIdentity(owning: status)
    }

    var description: String { "user \(identity.user)" }

    /// Makes this process act as the owner permanently.
    func become() throws(CommandError) {
        do throws(SystemError) {
            try identity.become()
        } catch {
            throw cannotAct(error)
        }
    }

    /// Does some work as the owner, then as root again, so that files of root are accessible before and after it.
    func run<Value>(_ work: () throws -> Value) throws -> Value {
        let root: UserIdentity.Suspended
        do throws(SystemError) {
            root = try identity.actFor()
        } catch {
            throw cannotAct(error)
        }
        defer { if !root.resume() { exitAtOnce(.notPermitted) } }
        do {
            return try work()
        } catch let error as CommandError where error.code == .notPermitted {
            throw CommandError(.notPermitted, "\(error.message). For root, sooke works there as the owner, \(self)")
        }
    }

    /// Whether users other than the owner can create and remove files in a folder.
    static func othersMayWrite(to folder: String) -> Bool {
        (try? FileDescriptor.workingFolder.status(of: folder))?.othersMayWrite ?? false
    }

    /// Changes the owner of a folder that root created, and of its contents.
    func take(_ folder: String) throws(CommandError) {
        do throws(SystemError) {
            try takeAll(folder)
        } catch {
            throw CommandError(
                .notPermitted, "cannot give \(folder) to its owner, \(self): \(error); do it with chown -R")
        }
    }

    private func takeAll(_ folder: String) throws(SystemError) {
        for name in try FileDescriptor.names(in: folder) {
            let path = "\(folder)/\(name)"
            let status = try FileDescriptor.workingFolder.status(of: path, followingLinks: false)
            // Files of other users were not created here.
            guard status.user == 0 else { continue }
            if status.isFolder { try takeAll(path) }
            try identity.takeOwnership(of: path)
        }
        try identity.takeOwnership(of: folder)
    }

    private func cannotAct(_ error: SystemError) -> CommandError {
        CommandError(
            .notPermitted,
            "the folder belongs to \(self), as whom root cannot work here (\(error)); run this as that user")
    }
}
