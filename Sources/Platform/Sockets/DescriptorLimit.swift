import Glibc

/// The number of descriptors that the process may have open. A shell or a service manager often sets a soft limit of
/// about a thousand, which the process can raise.
package enum DescriptorLimit {
    /// Raises the limit, if the system allows it.
    ///
    /// - Returns: the new limit, at most `count`.
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
