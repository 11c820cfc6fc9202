import CSystem
import Glibc

package enum Machine {
    package static var processorCount: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    package static var pageSize: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }

    package static var process: Int32 { getpid() }

    package static var executable: String {
        get throws(SystemError) {
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = try SystemError.retryingInterrupts { readlink("/proc/self/exe", &path, path.count) }
            return String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// By default glibc raises the threshold for large blocks, up to 32 MiB, when one is freed. Later blocks come from
    /// its arenas, which retain freed memory below a block in use: after 300 bodies of a mebibyte, 240 MB stayed. A
    /// threshold that is set explicitly does not change; this is glibc's initial value.
    package static func returnLargeBlocks() {
        mallopt(M_MMAP_THRESHOLD, largeBlock)
    }

    package static func returnFreedMemory() {
        malloc_trim(0)
    }

    private static let largeBlock: Int32 = 128 * 1024

    /// The number of descriptors that the process may have open, at most `count`: a shell or a service manager often
    /// sets a soft limit of about a thousand, which the process can raise.
    package static func raiseDescriptorLimit(to count: Int) -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return count }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        setrlimit(resource, &limit)
        getrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }

    package static func exit(_ code: Int32) -> Never {
        Glibc.exit(code)
    }

    /// Runs nothing more, as a failed disk requires.
    package static func exitAtOnce(_ code: Int32) -> Never {
        _exit(code)
    }
}

package struct Environment: Sendable {
    private let value: @Sendable (String) -> String?

    package static let process = Environment { name in getenv(name).map { String(cString: $0) } }

    private init(_ value: @escaping @Sendable (String) -> String?) {
        self.value = value
    }

    package init(_ variables: [String: String]) {
        value = { variables[$0] }
    }

    package subscript(name: String) -> String? { value(name) }
}

package enum Clock {
    package static var monotonic: Int {
        let now = read(CLOCK_MONOTONIC)
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }

    package static var wallMicroseconds: Int {
        let now = read(CLOCK_REALTIME)
        return now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
    }

    /// A system call, unlike the others.
    package static var threadCPU: Int {
        let time = read(CLOCK_THREAD_CPUTIME_ID)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        clock_gettime(clock, &now)
        return now
    }
}

package enum RandomSource {
    /// getrandom(2) blocks after boot until the system has enough entropy.
    ///
    /// - Throws: on a kernel older than 3.17, or with a filter that forbids the call.
    package static func bytes(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            filled += try SystemError.retryingInterrupts {
                bytes.withUnsafeMutableBytes { getrandom($0.baseAddress?.advanced(by: filled), count - filled, 0) }
            }
        }
        return bytes
    }
}
