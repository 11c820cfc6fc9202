import Glibc

/// How many descriptors the process may have open. A shell or a service manager often starts a process with a thousand
/// of them, and lets it ask for more.
package enum DescriptorLimit {
    /// Lets the process have so many, when the system allows it.
    ///
    /// - Returns: `count`, or how many it may have when that is fewer.
    package static func raise(to count: Int) -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return count }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        setrlimit(resource, &limit)
        getrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
