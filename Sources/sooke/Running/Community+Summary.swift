import Store

extension Community {
    /// What is in the town, in a few words: `40 businesses, 25 events`.
    var summary: String {
        let businesses = FormattedNumber.grouped(count(of: .business))
        return "\(businesses) businesses, \(FormattedNumber.grouped(count(of: .event))) events"
    }
}
