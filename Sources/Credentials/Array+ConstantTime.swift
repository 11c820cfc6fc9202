extension [UInt8] {
    /// Whether two byte strings are equal, in a time that depends on their lengths but not on where they differ.
    ///
    /// Not inlined: in a caller that knows one side the compiler could end the loop early.
    @inline(never)
    public func constantTimeEquals(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }
}
