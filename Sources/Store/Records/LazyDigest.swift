import Synchronization

/// The digest of a record, computed when it is first needed: a town of a million businesses starts without it.
///
/// Two threads may compute it at the same time, with the same result.
struct LazyDigest: ~Copyable, Sendable {
    /// 0 until it is computed. A digest that is 0 is computed each time.
    private let value = Atomic<UInt64>(0)

    /// Returns the digest, which `compute` returns the first time.
    func get(_ compute: () -> UInt64) -> UInt64 {
        let known = value.load(ordering: .relaxed)
        if known != 0 { return known }
        let digest = compute()
        value.store(digest, ordering: .relaxed)
        return digest
    }
}
