import Platform

/// The user that a data folder belongs to, where root runs a command on it: files that root made there could not be
/// opened by the service.
struct FolderOwner: Equatable, CustomStringConvertible {
    private let identity: UserIdentity

    /// The owner of a folder; nil when that is who runs this process, when this is not root, or when there is no
    /// folder.
    init?(of folder: String) {
        guard UserIdentity.isRoot, let status = try? FileDescriptor.workingFolder.status(of: folder), status.user != 0
        else { return nil }
        identity = UserIdentity(owning: status)
    }

    var description: String { "user \(identity.user)" }

    /// Lets this process be the owner from now on.
    func become() throws(CommandError) {
        do throws(SystemError) {
            try identity.become()
        } catch {
            throw cannotAct(error)
        }
    }

    /// Does some work as the owner, and is root again afterwards, so that it may have root's files before and after it.
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

    /// Whether others than the owner of a folder can make and remove files in it.
    static func othersMayWrite(to folder: String) -> Bool {
        (try? FileDescriptor.workingFolder.status(of: folder))?.othersMayWrite ?? false
    }

    /// Gives the owner a folder that root has made, and what is in it.
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
            // What belongs to somebody else was not made here.
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
