#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension UnsafeBufferPointer<UInt8> {
    /// Below zero, zero or above zero, as these bytes come before, are the same as, or come after others.
    ///
    /// The pointers are for `memcmp`: this is what the trees of texts spend their time on.
    public func bytewiseOrder(to other: UnsafeBufferPointer<UInt8>) -> Int {
        let shared = Swift.min(count, other.count)
        if shared > 0, let left = baseAddress, let right = other.baseAddress {
            let order = memcmp(left, right, shared)
            if order != 0 { return Int(order) }
        }
        return count - other.count
    }
}
