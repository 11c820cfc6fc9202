import CSystem

extension [UInt8] {
    /// Has the processor fetch the first half kilobyte, without waiting for it: for many arrays that are read one after
    /// the other, each somewhere else in a large memory. What is not there does no harm.
    public func prefetch() {
        guard let address = UnsafeRawPointer(bitPattern: unsafeBitCast(self, to: UInt.self)) else { return }
        for line in 0..<8 { sooke_prefetch(address + line * 64) }
    }
}
