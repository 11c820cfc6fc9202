import Store

extension Community {
    /// What is in the town, in a few words: `40 businesses, 25 events`.
    var headline: String {
        let businesses = HumanNumber.grouped(count(of: .business))
        return "\(businesses) businesses, \(HumanNumber.grouped(count(of: .event))) events"
    }
}
