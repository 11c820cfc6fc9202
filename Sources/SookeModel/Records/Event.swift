import Bytes
import JSON

/// Something that happens at a business, at a public place, or nowhere yet.
public struct Event: Record {
    /// How far an event has come on its way to the public.
    public enum Status: String, Sendable, CaseIterable {
        /// Being written.
        case draft
        /// Waits for somebody to look at it.
        case pendingReview = "pending_review"
        /// Public.
        case approved
        /// Was public, and will not happen.
        case cancelled
        /// Was looked at and turned down.
        case rejected

        /// Whether a stranger may see the event.
        public var isPublic: Bool { self == .approved || self == .cancelled }
    }

    /// The fields of an event in a dataset.
    public enum Field: String, RecordField {
        case id, business, name, slug, description, latitude, longitude, status
        case eventType = "event_type"
        case submittedBy = "submitted_by"
        case startsAt = "starts_at"
        case endsAt = "ends_at"
        case reason
        case formerSlugs = "former_slugs"
        case pendingSlug = "pending_slug"

        /// The table that finds a field by its name.
        public static let keys = JSONKeys<Field>()
    }

    /// Events are `events` in a dataset.
    public static let kind = RecordKind.event

    /// The event's number; 0 until the store has given it one.
    public var id = 0
    /// What it is.
    public var eventType = Slug("")
    /// The number of the person who handed it in.
    public var submittedBy: Int?
    /// The business it happens at.
    public var business: Slug?
    /// What people call it.
    public var name = ""
    /// What stands in its address on the web; empty until it is made from the name.
    public var slug = Slug("")
    /// What it is about.
    public var description: String?
    /// Degrees north of a public place.
    public var latitude: Double?
    /// Degrees east of a public place.
    public var longitude: Double?
    /// When it begins; nil only in a record that does not pass validation.
    public var startsAt: Timestamp?
    /// When it is over; nil when nobody said.
    public var endsAt: Timestamp?
    /// How far it has come.
    public var status = Status.draft
    /// Why it was turned down.
    public var reason: String?
    /// The slugs at which the public has found it before, which lead to it as long as no other event has them.
    public var formerSlugs: [Slug] = []
    /// The slug that it got when it was submitted, which nobody can guess: that of an event that has never been public.
    /// Afterwards it leads those to the event who knew it before.
    public var pendingSlug: Slug?

    /// No reason has more bytes.
    public static let longestReason = TextRules.description.upperBound * 4
    /// When it was created and changed.
    public var times = RecordTimes()

    /// An event without a name.
    public init() {}

    /// Reads one field's value; see `Record`.
    public mutating func read(
        _ field: Field, from reader: inout JSONReader, _ problems: inout FieldProblems
    ) throws(JSONError) {
        switch field {
        case .id: id = try reader.readOptionalNumber(field, &problems) ?? 0
        case .eventType: eventType = Slug(try reader.readText(field, &problems))
        case .submittedBy: submittedBy = try reader.readOptionalNumber(field, &problems)
        case .business: business = try reader.readOptionalText(field, &problems).map(Slug.init(_:))
        case .name: name = try reader.readText(field, &problems)
        case .slug: slug = Slug(try reader.readOptionalText(field, &problems) ?? "")
        case .description: description = try reader.readOptionalText(field, &problems)
        case .latitude: latitude = try reader.readOptionalDouble(field, &problems)
        case .longitude: longitude = try reader.readOptionalDouble(field, &problems)
        case .startsAt: startsAt = try reader.readOptionalMoment(field, &problems)
        case .endsAt: endsAt = try reader.readOptionalMoment(field, &problems)
        case .status:
            let names = "one of " + Status.allCases.map(\.rawValue).joined(separator: ", ")
            status = try reader.readRequiredShape(field, names, &problems, Status.init(named:)) ?? .draft
        case .reason: reason = try reader.readOptionalText(field, &problems)
        case .formerSlugs: formerSlugs = try reader.readTexts(field, &problems).map(Slug.init(_:))
        case .pendingSlug: pendingSlug = try reader.readOptionalText(field, &problems).map(Slug.init(_:))
        }
    }

    /// What a moment looks like, for messages.
    public static let momentShape = "a date and time like 2027-06-01T19:00:00-07:00"

    /// Takes one field's value over from another event.
    public mutating func take(_ field: Field, from other: Event) {
        switch field {
        case .id: id = other.id
        case .eventType: eventType = other.eventType
        case .submittedBy: submittedBy = other.submittedBy
        case .business: business = other.business
        case .name: name = other.name
        case .slug: slug = other.slug
        case .description: description = other.description
        case .latitude: latitude = other.latitude
        case .longitude: longitude = other.longitude
        case .startsAt: startsAt = other.startsAt
        case .endsAt: endsAt = other.endsAt
        case .status: status = other.status
        case .reason: reason = other.reason
        case .formerSlugs: formerSlugs = other.formerSlugs
        case .pendingSlug: pendingSlug = other.pendingSlug
        }
    }

    /// Writes the event in the dataset form.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("event_type", eventType.text)
        writer.member("submitted_by", submittedBy)
        writer.member("business", business?.text)
        writer.member("name", name)
        writer.member("slug", slug.text)
        writer.member("description", description)
        writer.member("latitude", latitude)
        writer.member("longitude", longitude)
        writer.member("starts_at", startsAt)
        writer.member("ends_at", endsAt)
        writer.member("status", status.rawValue)
        writer.memberIfGiven("reason", reason)
        writer.memberUnlessEmpty("former_slugs", formerSlugs)
        writer.memberIfGiven("pending_slug", pendingSlug?.text)
        writer.endObject()
    }

    /// Notes what breaks the stored invariants; see `StoredRecord`.
    public func validateStored(_ problems: inout FieldProblems) {
        NumberRules.check(id, &problems)
        NumberRules.check(reference: submittedBy, "submitted_by", &problems)
        TextRules.checkStoredSlug(slug, &problems)
        Coordinates.validate(latitude: latitude, longitude: longitude, &problems)
        problems.require(startsAt != nil, "starts_at", "is missing")
    }

    /// Notes everything that is wrong with an event that is brought in.
    public func validateInput(_ problems: inout FieldProblems) {
        TextRules.check(name, "name", length: TextRules.name, &problems)
        TextRules.checkSlug(slug, "slug", &problems)
        TextRules.check(description, "description", length: TextRules.description, &problems)
        TextRules.check(eventType.text, "event_type", length: TextRules.slug, &problems)
        TextRules.check(reason, "reason", length: TextRules.description, &problems)
        TextRules.checkFormerSlugs(formerSlugs, &problems)
        validateStored(&problems)
        checkPlace(&problems)
        if let startsAt, let endsAt {
            problems.require(endsAt >= startsAt, "ends_at", "must not lie before starts_at")
        }
    }

    /// An event is at a business, or at a public place with both coordinates, or nowhere yet; never two of them.
    private func checkPlace(_ problems: inout FieldProblems) {
        let hasPlace = latitude != nil || longitude != nil
        if business != nil {
            problems.require(!hasPlace, "business", "and coordinates must not both be given; a business has its own")
        } else if hasPlace {
            problems.require(latitude != nil, "latitude", "is missing; a place needs both numbers")
            problems.require(longitude != nil, "longitude", "is missing; a place needs both numbers")
        }
    }
}
