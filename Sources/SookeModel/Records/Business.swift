import JSON

/// A place of business, with its hours and menus.
public struct Business: Record {
    /// The fields of a business in a dataset.
    public enum Field: String, RecordField {
        // In the order in which they are written: a reader looks for the next one first.
        case id, name, slug, description, address, latitude, longitude, phone, email, website
        case ownerID = "owner_id"
        case category, hours, menus
        case formerSlugs = "former_slugs"

        /// The table that finds a field by its name.
        public static let keys = JSONKeys<Field>()
    }

    /// Businesses are `businesses` in a dataset.
    public static let kind = RecordKind.business

    /// The business's number; 0 until the store has given it one.
    public var id = 0
    /// The number of the person who looks after it.
    public var ownerID: Int?
    /// What it is; without a category it is not shown.
    public var category: Slug?
    /// What people call it.
    public var name = ""
    /// What stands in its address on the web; empty until it is made from the name.
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
    /// What it serves, in the order of their numbers.
    public var menus: [Menu] = []
    /// The slugs it had before, which lead to it as long as no other business has them.
    public var formerSlugs: [Slug] = []
    /// When it was created and changed.
    public var times = RecordTimes()

    /// A business without a name.
    public init() {}

    /// Reads one field's value; see `Record`.
    public mutating func read(
        _ field: Field, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        switch field {
        case .id: id = try reader.readOptionalNumber(field, &problems) ?? 0
        case .ownerID: ownerID = try reader.readOptionalNumber(field, &problems)
        case .category: category = try reader.readOptionalText(field, &problems).map(Slug.init(_:))
        case .name: name = try reader.readText(field, &problems)
        case .slug: slug = Slug(try reader.readOptionalText(field, &problems) ?? "")
        case .description: description = try reader.readOptionalText(field, &problems)
        case .phone: phone = try reader.readOptionalText(field, &problems)
        case .email: email = try reader.readOptionalText(field, &problems)
        case .website: website = try reader.readOptionalText(field, &problems)
        case .address: address = try reader.readText(field, &problems)
        case .latitude: latitude = try reader.readOptionalDouble(field, &problems)
        case .longitude: longitude = try reader.readOptionalDouble(field, &problems)
        case .hours:
            hours = try reader.readParts(field, &problems) { reader, problems throws(JSONError) in
                try DayHours(from: &reader, &problems)
            }
        case .menus:
            menus = try reader.readParts(field, &problems) { reader, problems throws(JSONError) in
                try Menu(from: &reader, &problems)
            }
        case .formerSlugs: formerSlugs = try reader.readTexts(field, &problems).map(Slug.init(_:))
        }
    }

    /// Takes one field's value over from another business.
    public mutating func take(_ field: Field, from other: Business) {
        switch field {
        case .id: id = other.id
        case .ownerID: ownerID = other.ownerID
        case .category: category = other.category
        case .name: name = other.name
        case .slug: slug = other.slug
        case .description: description = other.description
        case .phone: phone = other.phone
        case .email: email = other.email
        case .website: website = other.website
        case .address: address = other.address
        case .latitude: latitude = other.latitude
        case .longitude: longitude = other.longitude
        case .hours: hours = other.hours
        case .menus: menus = other.menus
        case .formerSlugs: formerSlugs = other.formerSlugs
        }
    }

    /// Writes the business in the dataset form.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for field in Field.allCases { write(field, to: &writer) }
        writer.endObject()
    }

    /// Writes the member of one field in the dataset form; there is none for former slugs when there are none.
    public func write(_ field: Field, to writer: inout JSONWriter) {
        switch field {
        case .id: writer.member("id", id)
        case .name: writer.member("name", name)
        case .slug: writer.member("slug", slug.text)
        case .description: writer.member("description", description)
        case .address: writer.member("address", address)
        case .latitude: writer.member("latitude", latitude)
        case .longitude: writer.member("longitude", longitude)
        case .phone: writer.member("phone", phone)
        case .email: writer.member("email", email)
        case .website: writer.member("website", website)
        case .ownerID: writer.member("owner_id", ownerID)
        case .category: writer.member("category", category?.text)
        case .hours:
            writer.key("hours")
            writer.beginArray()
            for day in hours { day.write(to: &writer) }
            writer.endArray()
        case .menus:
            writer.key("menus")
            writer.beginArray()
            for menu in menus { menu.write(to: &writer) }
            writer.endArray()
        case .formerSlugs: writer.memberUnlessEmpty("former_slugs", formerSlugs)
        }
    }

    /// Notes what breaks the stored invariants; see `StoredRecord`.
    public func validateStored(_ problems: inout FieldProblems) {
        NumberRules.check(id, &problems)
        NumberRules.check(reference: ownerID, "owner_id", &problems)
        TextRules.checkStoredSlug(slug, &problems)
        Coordinates.validate(latitude: latitude, longitude: longitude, &problems)
        for (index, day) in hours.enumerated() {
            problems.inside("hours[\(index)]") { day.validateStored(&$0) }
        }
        for (index, menu) in menus.enumerated() {
            problems.inside("menus[\(index)]") { menu.validateStored(&$0) }
        }
    }

    /// Notes everything that is wrong with a business that is brought in.
    public func validateInput(_ problems: inout FieldProblems) {
        TextRules.check(name, "name", length: TextRules.name, &problems)
        TextRules.checkSlug(slug, "slug", &problems)
        TextRules.check(description, "description", length: TextRules.description, &problems)
        TextRules.check(address, "address", length: TextRules.address, &problems)
        TextRules.check(phone, "phone", length: TextRules.phone, &problems)
        TextRules.checkEmail(email, "email", &problems)
        TextRules.checkWebsite(website, "website", &problems)
        problems.require(latitude != nil, "latitude", "is missing")
        problems.require(longitude != nil, "longitude", "is missing")
        validateStored(&problems)
        TextRules.checkFormerSlugs(formerSlugs, &problems)
        checkDays(&problems)
        NumberRules.checkDifferent(hours, \.id, of: "hours", &problems)
        NumberRules.checkDifferent(menus, \.id, of: "menus", &problems)
        for (index, menu) in menus.enumerated() {
            problems.inside("menus[\(index)]") { menu.checkInputRules(&$0) }
        }
    }

    /// Notes days that have more than one row.
    private func checkDays(_ problems: inout FieldProblems) {
        // A bit a day; of a number that is no day something else is said.
        var days = 0
        for (index, day) in hours.enumerated() {
            let bit = 1 << day.dayOfWeek
            problems.require(days & bit == 0, "hours[\(index)].day_of_week", "stands twice in the week")
            days |= bit
        }
    }
}
