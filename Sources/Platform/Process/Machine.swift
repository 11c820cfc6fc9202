import CSystem
import Glibc

/// What the system says about the machine and this process.
package enum Machine {
    /// The processors that are online.
    package static var processorCount: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The bytes of a page of memory.
    package static var pageSize: Int { Int(sysconf(Int32(_SC_PAGESIZE))) }

    /// Has every large block of memory returned to the system when it is freed.
    ///
    /// When a large block is freed, glibc raises the size from which on blocks are mapped by themselves, up to 32 MiB.
    /// Later ones come from its arenas, which keep what is freed below a block in use: after 300 bodies of a mebibyte,
    /// 240 MB stayed. A threshold that is set stays as it is; this is the one that glibc begins with.
    package static func returnLargeBlocks() {
        mallopt(M_MMAP_THRESHOLD, largeBlock)
    }

    /// From this size on a block is large, in bytes.
    private static let largeBlock: Int32 = 128 * 1024

    /// Ends the process in order.
    package static func exit(_ code: Int32) -> Never {
        Glibc.exit(code)
    }

    /// Ends the process without running anything more, as a failed disk demands.
    package static func exitAtOnce(_ code: Int32) -> Never {
        _exit(code)
    }
}
