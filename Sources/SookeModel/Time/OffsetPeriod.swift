/// A period with one offset from UTC. The next one may have the same offset, because a zone also changes its
/// abbreviation.
struct OffsetPeriod: Equatable {
    /// Seconds east of UTC.
    var offset: Int
    /// The first second, since 1970; nil when there is no change before.
    var start: Int?
    /// The second after the last one; nil when there is no change to come.
    var end: Int?
}

extension Int {
    /// Division that rounds towards negative infinity.
    func quotient(roundedDownBy divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
