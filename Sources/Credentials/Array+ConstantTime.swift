extension [UInt8] {
    /// Whether two byte strings are equal, in a time that tells their lengths but not where they differ.
    ///
    /// It is not to be inlined: beside a caller that knows one side the compiler could leave the loop early.
    @inline(never)
    public func constantTimeEquals(_ other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        var difference: UInt8 = 0
        for index in indices { difference |= self[index] ^ other[index] }
        return difference == 0
    }
}
