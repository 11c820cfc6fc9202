import Bytes
import JSON
import SookeModel
import Synchronization

/// A business in a version of the town: compact, with the parts of responses encoded once.
///
/// Its texts are stored once, as responses contain them. `value` decodes the business.
public final class BusinessRecord: Sendable {
    // The properties that lists read come first, in the cache line of the object's header.

    /// The ID of the category; nil for a business without category, which is not listed.
    public let categoryID: Int?
    let text: BusinessText
    /// The unique ID; never reused.
    public let id: Int
    /// The slug in its address.
    public let slug: Slug
    /// The slug of the category.
    public let category: Slug?
    /// The ID of the owner.
    public let ownerID: Int?
    /// The former slugs.
    public let formerSlugs: [Slug]
    /// The location.
    public let coordinates: Coordinates?
    /// The times of creation and of the last change.
    public let times: RecordTimes
    let nameKey: NameKey
    let menus: [Menu]
    /// The fields that few businesses have; nil when it has none of them.
    let rare: RareBusinessFields?
    let lazySchedule = AtomicLazyReference<Boxed<OpeningSchedule>>()
    let lazyOpeningHours = AtomicLazyReference<Boxed<String>>()
    let openStates = OpenStateCache()
    private let lazyDigest = LazyDigest()

    /// - Parameter old: the business before a change; if it has the same name, its collation key is reused.
    init(_ value: Business, categoryID: Int?, after old: BusinessRecord? = nil) {
        (id, slug, category, self.categoryID) = (value.id, value.slug, value.category, categoryID)
        (ownerID, formerSlugs, menus, times) = (value.ownerID, value.formerSlugs, value.menus, value.times)
        coordinates = Coordinates(latitude: value.latitude, longitude: value.longitude)
        rare = RareBusinessFields(value)
        text = BusinessText(value)
        if let old, old.id == id, old.text.name.elementsEqual(text.name) {
            nameKey = old.nameKey
        } else {
            nameKey = NameKey(name: value.name, id: value.id)
        }
    }

    /// The name of its time zone; nil for that of the town.
    public var timeZone: String? { rare?.timeZone }

    /// The two members of a business without category.
    public static let noCategory = referenceMembers(of: "category", name: nil, slug: nil)

    /// The members of an event that refer to its business: `"business_name":…,"business_slug":…`.
    public var reference: [UInt8] {
        var text = [UInt8]("\"business_name\":")
        text.append(contentsOf: self.text.name)
        text.append(",\"business_slug\":")
        text.append(contentsOf: self.text.slug)
        return text
    }

    /// Whether another business has the same name, byte for byte.
    func hasSameName(as other: BusinessRecord) -> Bool { text.name == other.text.name }

    /// The name as folded by `CaseFolding`, for searches.
    var foldedName: [UInt8] { CaseFolding.fold(name) }

    /// The name.
    public var name: String {
        let literal = text.name.dropFirst().dropLast()
        // Most names need no escapes; then the literal has the bytes of the name.
        let isPlain = !literal.contains(UInt8(ascii: "\\"))
        return isPlain ? String(decoding: literal, as: UTF8.self) : value.name
    }

    /// Appends the business as in a list.
    ///
    /// - Parameters:
    ///   - category: the two members that refer to its category.
    ///   - time: decides the hours of today and the open state.
    public func append(to object: inout [UInt8], category: Span<UInt8>, at time: inout ListTime) {
        appendMembers(to: &object, category: category, at: &time)
        object.append(UInt8(ascii: "}"))
    }

    /// Appends the business with its hours and menus; see `append`.
    public func appendDetail(to object: inout [UInt8], category: Span<UInt8>, at time: inout ListTime) {
        appendMembers(to: &object, category: category, at: &time)
        object.append(UInt8(ascii: ","))
        object.append { writer in
            writer.key("hours")
            text.writeWeek(to: &writer)
            writeHours(to: &writer, at: time.clock)
            writer.key("menus")
            writer.beginArray()
            for menu in menus { menu.sortedByName.write(to: &writer) }
            writer.endArray()
            writer.endObject()
        }
    }

    @inline(__always)
    private func appendMembers(to object: inout [UInt8], category: Span<UInt8>, at time: inout ListTime) {
        text.append(to: &object, category: category, on: time.dayOfWeek)
        appendOpenState(to: &object, at: &time)
    }

    /// Writes the hours that a row a day does not tell; expired special hours are left out.
    private func writeHours(to writer: inout JSONWriter, at clock: OpenHoursClock) {
        let today = clock.moment(in: rare?.timeZone)?.date
        writer.member("opening_hours", openingHours)
        writer.key("special_hours")
        writer.beginArray()
        for row in rare?.specialHours ?? [] {
            guard let to = row.to, let today, to < today else {
                row.write(to: &writer)
                continue
            }
        }
        writer.endArray()
        writer.member("time_zone", rare?.timeZone)
        writer.member("checked", checkedText(at: clock))
    }
}

/// The business as a value.
extension BusinessRecord {
    /// The business, decoded.
    public var value: Business {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        text.write(to: &writer)
        writer.endObject()
        var reader = JSONReader(writer.bytes, limits: .trusted)
        do {
            var business = try Business(encoded: &reader)
            addRest(to: &business)
            business.hours = hours
            return business
        } catch {
            preconditionFailure("the business \(id) cannot be read back: \(error)")
        }
    }

    /// Writes the business in the dataset form, the same bytes as `value.write`, mostly by copying.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        text.write(to: &writer)
        var rest = Business()
        addRest(to: &rest)
        rest.writeFields(Self.beforeHours, to: &writer)
        writer.key("hours")
        text.writeHours(to: &writer)
        rest.writeFields(Self.afterHours, to: &writer)
        writer.endObject()
    }

    /// The output of `write`.
    public var written: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1024)
        write(to: &writer)
        return writer.bytes
    }

    /// The digest of `written`; see `StoredRecord.digest`.
    public var digest: UInt64 { lazyDigest.get { XXH64.digest(written.span) } }

    /// Sets the fields that are not in the text.
    private func addRest(to business: inout Business) {
        (business.ownerID, business.category) = (ownerID, category)
        (business.formerSlugs, business.menus, business.times) = (formerSlugs, menus, times)
        rare?.set(in: &business)
    }

    // The fields that follow those of the text, around the hours.
    private static let beforeHours: FieldSet<Business> = ["owner_id", "category"]
    private static let afterHours = BusinessText.rest.subtracting(["owner_id", "category", "hours"])
}

extension Menu {
    /// The menu with its items sorted by name.
    public var sortedByName: Menu {
        var menu = self
        menu.items =
            items
            .map { (key: NameKey(name: $0.name, id: $0.id), item: $0) }
            .sorted { $0.key < $1.key }
            .map(\.item)
        return menu
    }
}
