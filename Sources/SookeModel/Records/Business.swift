/// A place of business, with its hours and menus.
public struct Business: Record {
    /// Businesses are `businesses` in a dataset.
    public static let kind = RecordKind.business

    /// The business's ID; 0 until the store has given it one.
    public var id = 0
    /// The ID of the person who owns it.
    public var ownerID: Int?
    /// What it is; without a category it is not shown.
    public var category: Slug?
    /// What people call it.
    public var name = ""
    /// The part of its address that names it; empty until it is made from the name.
    public var slug = Slug("")
    /// What it is about.
    public var description: String?
    /// How to call it.
    public var phone: String?
    /// How to write to it; the empty text stands for nothing given.
    public var email: String?
    /// Its own pages; the empty text stands for nothing given.
    public var website: String?
    /// Street and house number.
    public var address = ""
    /// Degrees north; nil only in a record that does not pass validation.
    public var latitude: Double?
    /// Degrees east; nil only in a record that does not pass validation.
    public var longitude: Double?
    /// At most one row a day of the week, in the order of the days.
    public var hours: [DayHours] = []
    /// What it serves, in the order of their IDs.
    public var menus: [Menu] = []
    /// The slugs it had before, which lead to it as long as no other business has them.
    public var formerSlugs: [Slug] = []
    /// When it was created and changed.
    public var times = RecordTimes()

    /// A business without a name.
    public init() {}

    /// Its fields.
    public static let fields = FieldTable(of: Business.self)

    /// Visits each field. Those before `owner_id` are what a list shows.
    @inline(__always)
    public static func visit<Visitor: FieldVisitor<Business>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Its number, which is never given again")
        try visitor.field(
            "name", \.name, .length(TextRules.name), [.open, .required], "What people call it; at most 500 characters")
        try visitor.field(
            "slug", \.slug, .own, .reserved, "Its part of the address; made from the name when it is left out")
        try visitor.field(
            "description", \.description, .length(TextRules.description), .open,
            "What it is about; at most 10,000 characters")
        try visitor.field(
            "address", \.address, .length(TextRules.address), [.open, .required], "Street and house number")
        try visitor.field("latitude", \.latitude, .latitude, [.open, .required], "Degrees north, -90 to 90")
        try visitor.field("longitude", \.longitude, .longitude, [.open, .required], "Degrees east, -180 to 180")
        try visitor.field(
            "phone", \.phone, .length(TextRules.phone), .open, "How to call it; at most 50 characters")
        try visitor.field("email", \.email, .email, .open, "How to write to it")
        try visitor.field("website", \.website, .website, .open, "Its own pages; an http or https address")
        try visitor.field("owner_id", \.ownerID, .reference, .reference, "The number of the user who owns it")
        try visitor.field(
            "category", \.category, .reference, .reference, "The slug of its category; without one it is not listed")
        try visitor.field("hours", \.hours, .any, .open, "When it is open; at most one row a day of the week")
        try visitor.field("menus", \.menus, .any, [.shown, .setByOwner], "What it serves")
        try visitor.field("former_slugs", \.formerSlugs, .any, .leftOutWhenEmpty, "The slugs it had before")
    }

    /// Notes days that have more than one row.
    public func checkInput(_ problems: inout FieldProblems) {
        // A bit a day; of a number that is no day something else is said.
        var days = 0
        for (index, day) in hours.enumerated() {
            let bit = 1 << day.dayOfWeek
            problems.require(days & bit == 0, "hours[\(index)].day_of_week", "stands twice in the week")
            days |= bit
        }
    }
}
