#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The user that a data folder belongs to, where root runs a command on it: files that root made there could not be
/// opened by the service.
struct FolderOwner: Equatable, CustomStringConvertible {
    private let user: uid_t
    private let group: gid_t

    /// The owner of a folder; nil when that is who runs this process, when this is not root, or when there is no
    /// folder.
    init?(of folder: String) {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0, status.st_uid != 0 else { return nil }
        (user, group) = (status.st_uid, status.st_gid)
    }

    var description: String { "user \(user)" }

    /// Lets this process be the owner from now on.
    func become() throws(CommandError) {
        var groups = [group]
        guard setgroups(1, &groups) == 0, setgid(group) == 0, setuid(user) == 0 else { throw cannotAct(.last) }
    }

    /// Does some work as the owner, and is root again afterwards, so that it may have root's files before and after it.
    func run<Value>(_ work: () throws -> Value) throws -> Value {
        let (rootGroup, rootGroups) = (getegid(), Self.groups())
        var groups = [group]
        guard setgroups(1, &groups) == 0, setegid(group) == 0, seteuid(user) == 0 else { throw cannotAct(.last) }
        defer {
            var rootGroups = rootGroups
            guard seteuid(0) == 0, setegid(rootGroup) == 0, setgroups(rootGroups.count, &rootGroups) == 0 else {
                exitAtOnce(.notPermitted)
            }
        }
        do {
            return try work()
        } catch let error as CommandError where error.code == .notPermitted {
            throw CommandError(.notPermitted, "\(error.message). For root, sooke works there as the owner, \(self)")
        }
    }

    /// Whether others than the owner of a folder can make and remove files in it.
    static func othersMayWrite(to folder: String) -> Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_mode & (S_IWGRP | S_IWOTH) != 0
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
        for name in try FolderListing.names(in: folder) {
            let path = "\(folder)/\(name)"
            var status = stat()
            _ = try SystemError.retryingInterrupts { lstat(path, &status) }
            // What belongs to somebody else was not made here.
            guard status.st_uid == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR { try takeAll(path) }
            _ = try SystemError.retryingInterrupts { lchown(path, user, group) }
        }
        _ = try SystemError.retryingInterrupts { lchown(folder, user, group) }
    }

    private func cannotAct(_ error: SystemError) -> CommandError {
        CommandError(
            .notPermitted,
            "the folder belongs to \(self), as whom root cannot work here (\(error)); run this as that user")
    }

    private static func groups() -> [gid_t] {
        var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        let count = getgroups(Int32(groups.count), &groups)
        return Array(groups.prefix(max(0, Int(count))))
    }
}
