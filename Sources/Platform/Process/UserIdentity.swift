import CSystem
import Glibc

/// A user and a group that a process of root can act as.
package struct UserIdentity: Sendable, Equatable {
    package let user: UInt32
    package let group: UInt32

    package init(owning status: FileStatus) {
        (user, group) = (status.user, status.group)
    }

    package static var current: UInt32 { geteuid() }

    package static var isRoot: Bool { geteuid() == 0 }

    package func become() throws(SystemError) {
        var groups = [group]
        guard setgroups(1, &groups) == 0, setgid(group) == 0, setuid(user) == 0 else { throw .last }
    }

    /// Until `Suspended.resume`.
    package func actFor() throws(SystemError) -> Suspended {
        let suspended = Suspended(group: getegid(), groups: Self.groups())
        var groups = [group]
        guard setgroups(1, &groups) == 0, setegid(group) == 0, seteuid(user) == 0 else { throw .last }
        return suspended
    }

    package struct Suspended {
        fileprivate let group: gid_t
        fileprivate let groups: [gid_t]

        package func resume() -> Bool {
            var groups = groups
            return seteuid(0) == 0 && setegid(group) == 0 && setgroups(groups.count, &groups) == 0
        }
    }

    /// Of an open file or folder, even when its name belongs to another by now.
    package func takeOwnership(of file: FileDescriptor) throws(SystemError) {
        try SystemError.retryingInterrupts { fchownat(file.number, "", user, group, sooke_empty_path) }
    }

    private static func groups() -> [gid_t] {
        var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        let count = getgroups(Int32(groups.count), &groups)
        return Array(groups.prefix(max(0, Int(count))))
    }
}
