/// What the dates of a table tell about the order of day and month in them.
///
/// A date such as `6/7/2027` can have both. Where another date of the same table can have only one, and none contradicts,
/// that is the order of all.
struct DateOrders {
    private var orders: Set<MomentText.DayOrder> = []
    private var isAmbiguous = false

    mutating func add(_ moments: EventTimeCells.Moments) {
        orders.formUnion(moments.orders)
        if moments.isAmbiguous { isAmbiguous = true }
    }

    /// The order in which the table is to be read again; nil when that would not help.
    var order: MomentText.DayOrder? { isAmbiguous && orders.count == 1 ? orders.first : nil }
}
