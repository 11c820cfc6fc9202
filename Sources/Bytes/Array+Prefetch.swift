import CSystem

// For many things that are looked at one after the other, each somewhere else in a large memory. What is not there does
// no harm.

extension [UInt8] {
    /// Has the processor fetch the beginning, without waiting for it.
    ///
    /// - Parameter lines: how many lines of a cache, of 64 bytes.
    public func prefetch(lines: Int) {
        guard let address = UnsafeRawPointer(bitPattern: unsafeBitCast(self, to: UInt.self)) else { return }
        sooke_prefetch(address, Int32(lines))
    }
}

extension Array where Element: AnyObject {
    /// Calls a function with each object, having the processor fetch those that come next and what they refer to.
    ///
    /// - Parameter fetch: has it fetch what an object refers to.
    public func forEachFetchedAhead(_ fetch: (Element) -> Void, _ body: (Element) -> Void) {
        for index in indices {
            let (object, parts) = (index + 2 * Self.distance, index + Self.distance)
            if object < count, let address = UnsafeRawPointer(bitPattern: unsafeBitCast(self[object], to: UInt.self)) {
                sooke_prefetch(address, 2)
            }
            if parts < count { fetch(self[parts]) }
            body(self[index])
        }
    }

    /// So many looks take longer than a fetch.
    private static var distance: Int { 8 }
}
