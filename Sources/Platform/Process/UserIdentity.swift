import Glibc

/// A user and a group, as which root may let this process act.
package struct UserIdentity: Sendable, Equatable {
    /// The number of the user.
    package let user: UInt32
    /// The number of the group.
    package let group: UInt32

    /// The user and the group that a file or folder belongs to.
    package init(owning status: FileStatus) {
        (user, group) = (status.user, status.group)
    }

    /// Whether this process acts as root.
    package static var isRoot: Bool { geteuid() == 0 }

    /// Lets this process be the user from now on.
    package func become() throws(SystemError) {
        var groups = [group]
        guard setgroups(1, &groups) == 0, setgid(group) == 0, setuid(user) == 0 else { throw .last }
    }

    /// Lets this process act as the user until `Suspended.resume`.
    package func actFor() throws(SystemError) -> Suspended {
        let suspended = Suspended(group: getegid(), groups: Self.groups())
        var groups = [group]
        guard setgroups(1, &groups) == 0, setegid(group) == 0, seteuid(user) == 0 else { throw .last }
        return suspended
    }

    /// What root's process was before it acted as somebody else.
    package struct Suspended {
        fileprivate let group: gid_t
        fileprivate let groups: [gid_t]

        /// Makes this process root's again; false when that cannot be.
        package func resume() -> Bool {
            var groups = groups
            return seteuid(0) == 0 && setegid(group) == 0 && setgroups(groups.count, &groups) == 0
        }
    }

    /// Gives a file or folder to the user and the group; a link is not followed.
    package func takeOwnership(of path: String) throws(SystemError) {
        try SystemError.retryingInterrupts { lchown(path, user, group) }
    }

    private static func groups() -> [gid_t] {
        var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        let count = getgroups(Int32(groups.count), &groups)
        return Array(groups.prefix(max(0, Int(count))))
    }
}
