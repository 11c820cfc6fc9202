import Store

extension Community {
    /// A summary of the town: `40 businesses, 25 events`.
    var summary: String {
        let businesses = FormattedNumber.grouped(count(of: .business))
        return "\(businesses) businesses, \(FormattedNumber.grouped(count(of: .event))) events"
    }
}
