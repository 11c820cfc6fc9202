/// A business, with its hours and menus.
public struct Business: Record {
    /// Businesses are `businesses` in a dataset.
    public static let kind = RecordKind.business

    /// The unique ID; 0 until the store has assigned it.
    public var id = 0
    /// The ID of its owner.
    public var ownerID: Int?
    /// Its category; a business without one is not listed.
    public var category: Slug?
    /// Its name.
    public var name = ""
    /// Its slug; empty until it is made from the name.
    public var slug = Slug("")
    /// Its description.
    public var description: String?
    /// Its phone number.
    public var phone: String?
    /// Its e-mail address; the empty text for none.
    public var email: String?
    /// Its website; the empty text for none.
    public var website: String?
    /// Street and house number.
    public var address = ""
    /// Degrees north; nil only in a record that does not pass validation.
    public var latitude: Double?
    /// Degrees east; nil only in a record that does not pass validation.
    public var longitude: Double?
    /// Its hours: at most one row per day of the week, by day.
    public var hours: [DayHours] = []
    /// Its menus, by ID.
    public var menus: [Menu] = []
    /// Its former slugs, which redirect to it unless another business has them.
    public var formerSlugs: [Slug] = []
    /// The times of creation and of the last change.
    public var times = RecordTimes()

    /// A business without a name.
    public init() {}

    /// Its fields.
    public static let fields = FieldTable(of: Business.self)

    /// Its references.
    public static let references: [Reference<Business>] = [
        Reference("category", toTerm: .category, .optionalSlug(\.category)),
        Reference("owner_id", toPerson: \.ownerID, column: "owner"),
    ]

    /// Businesses, without their menus.
    public static let csvLayout: CSVLayout<Business>? = CSVLayout(
        first: ["name", "slug", "category"], ownColumn: "address", hours: \Business.hours)

    /// Visits each field. Those before `owner_id` are in lists.
    @inlinable @inline(__always)
    public static func visit<Visitor: FieldVisitor<Business>>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.field("id", \.id, .id, [.shown, .column], "Unique ID; never reused")
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
        try visitor.field("owner_id", \.ownerID, .reference, .reference, "The ID of its owner")
        try visitor.field(
            "category", \.category, .reference, .reference, "The slug of its category; without one it is not listed")
        try visitor.field("hours", \.hours, .any, .open, "When it is open; at most one row a day of the week")
        try visitor.field("menus", \.menus, .any, [.shown, .setByOwner], "What it serves")
        try visitor.field("former_slugs", \.formerSlugs, .any, .leftOutWhenEmpty, "The slugs it had before")
    }

    /// Adds problems for days with more than one row.
    public func checkInput(_ problems: inout FieldProblems) {
        // One bit per day; invalid days have their own message.
        var days = 0
        for (index, day) in hours.enumerated() {
            let bit = 1 << day.dayOfWeek
            problems.require(days & bit == 0, "hours[\(index)].day_of_week", "occurs twice in the week")
            days |= bit
        }
    }
}

extension RecordKind {
    /// A business.
    public static let business = RecordKind("business", collection: "businesses")
}
