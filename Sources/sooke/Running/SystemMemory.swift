import CSystem

#if canImport(Glibc)
    import Glibc
#endif

/// The memory that the process holds.
enum SystemMemory {
    /// Has every large block returned to the system when it is freed.
    ///
    /// When a large block is freed, glibc raises the size from which on blocks are mapped by themselves, up to 32 MiB.
    /// Later ones come from its arenas, which keep what is freed below a block in use: after 300 bodies of a mebibyte,
    /// 240 MB stayed. A threshold that is set stays as it is; this is the one that glibc begins with.
    static func returnLargeBlocks() {
        #if canImport(Glibc)
            mallopt(M_MMAP_THRESHOLD, largeBlock)
        #endif
    }

    /// From this size on a block is large, in bytes.
    private static let largeBlock: CInt = 128 * 1024
}
