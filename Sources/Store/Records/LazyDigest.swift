import Synchronization

/// The digest of a record, computed when it is first needed: a town of a million businesses starts without it.
///
/// Two threads that ask at the same time compute it twice, with the same result.
struct LazyDigest: ~Copyable, Sendable {
    /// 0 until it was computed; a digest that is 0 is computed each time.
    private let value = Atomic<UInt64>(0)

    /// The digest, computed by `compute` unless it was before.
    func get(_ compute: () -> UInt64) -> UInt64 {
        let known = value.load(ordering: .relaxed)
        if known != 0 { return known }
        let digest = compute()
        value.store(digest, ordering: .relaxed)
        return digest
    }
}
