import Bytes
import JSON
import SookeModel

/// A business as a version of the town holds it: small, and with what answers need of it encoded once.
///
/// Its texts are kept once, as answers show them. A listed business is what `append` appends and `}`; a detail has what
/// `appendTail` appends in the place of the brace. `value` reads the business back.
public final class BusinessRecord: Sendable {
    // What a list looks at comes first, in the cache line that a reference to the record brings.

    /// The number of the category; nil when it has none and is not shown.
    public let categoryID: Int?
    private let text: BusinessText
    /// Its number.
    public let id: Int
    /// What stands in its address on the web.
    public let slug: Slug
    /// The category it is listed under.
    public let category: Slug?
    /// The number of the person who looks after it.
    public let ownerID: Int?
    /// The slugs it had before.
    public let formerSlugs: [Slug]
    /// Where it is.
    public let coordinates: Coordinates?
    /// When it was created and changed.
    public let times: RecordTimes
    let nameKey: NameKey
    private let menus: [Menu]
    private let lazyDigest = LazyDigest()

    /// - Parameter old: the business before a change; with the same name, its place in the order of names is the same.
    init(_ value: Business, categoryID: Int?, after old: BusinessRecord? = nil) {
        (id, slug, category, self.categoryID) = (value.id, value.slug, value.category, categoryID)
        (ownerID, formerSlugs, menus, times) = (value.ownerID, value.formerSlugs, value.menus, value.times)
        coordinates = Coordinates(latitude: value.latitude, longitude: value.longitude)
        text = BusinessText(value)
        if let old, old.id == id, old.text.name.elementsEqual(text.name) {
            nameKey = old.nameKey
        } else {
            nameKey = NameKey(name: value.name, id: value.id)
        }
    }

    /// The two members that name no category.
    public static let noCategory = referenceMembers(of: "category", name: nil, slug: nil)

    /// The business as a part of an event at it: `"business_name":…,"business_slug":…`.
    public var reference: [UInt8] {
        var text = [UInt8]("\"business_name\":")
        text.append(contentsOf: self.text.name)
        text.append(",\"business_slug\":")
        text.append(contentsOf: self.text.slug)
        return text
    }

    /// Whether another business is called the same, letter by letter.
    func hasSameName(as other: BusinessRecord) -> Bool { text.name == other.text.name }

    /// The name as `CaseFolding` folds it, to be searched in.
    var foldedName: [UInt8] {
        let literal = text.name.dropFirst().dropLast()
        // Most names need no escape, and are then in the literal as they are.
        let isPlain = !literal.contains(UInt8(ascii: "\\"))
        return CaseFolding.fold(isPlain ? String(decoding: literal, as: UTF8.self) : value.name)
    }

    /// Appends the business as a list shows it, without the closing brace.
    ///
    /// - Parameters:
    ///   - category: the two members that name its category.
    ///   - dayOfWeek: today (0 is Sunday), whose hours are shown, or null when nobody said.
    public func append(to object: inout [UInt8], category: [UInt8], on dayOfWeek: Int) {
        text.append(to: &object, category: category, on: dayOfWeek)
    }

    /// Appends the members `hours` and `menus` of a detail, with a comma before and the closing brace.
    public func appendTail(to object: inout [UInt8]) {
        object.append(UInt8(ascii: ","))
        object.append { writer in
            writer.key("hours")
            text.writeHours(to: &writer, withID: false)
            writer.key("menus")
            writer.beginArray()
            for menu in menus { menu.sortedByName.write(to: &writer) }
            writer.endArray()
            writer.endObject()
        }
    }
}

/// The business itself.
extension BusinessRecord {
    /// The business, read back from what is kept of it.
    public var value: Business {
        var writer = JSONWriter(reservingCapacity: 1024)
        writer.beginObject()
        text.write(to: &writer)
        writer.endObject()
        var reader = JSONReader(writer.bytes, limits: .trusted)
        do {
            var business = try Business(encoded: &reader)
            addRest(to: &business)
            business.hours = (0..<text.dayCount).map { text.day($0).value }
            return business
        } catch {
            preconditionFailure("the business \(id) cannot be read back: \(error)")
        }
    }

    /// Writes the business in the dataset form, most of which is here as it is: the bytes that `value` writes.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        text.write(to: &writer)
        var rest = Business()
        addRest(to: &rest)
        rest.writeFields(Self.beforeHours, to: &writer)
        writer.key("hours")
        text.writeHours(to: &writer, withID: true)
        rest.writeFields(Self.afterHours, to: &writer)
        writer.endObject()
    }

    /// The bytes that `write` writes.
    public var written: [UInt8] {
        var writer = JSONWriter(reservingCapacity: 1024)
        write(to: &writer)
        return writer.bytes
    }

    /// The digest of `written`; see `StoredRecord.digest`.
    public var digest: UInt64 { lazyDigest.get { XXH64.digest(written.span) } }

    /// Gives a business what is not in the text.
    private func addRest(to business: inout Business) {
        (business.ownerID, business.category) = (ownerID, category)
        (business.formerSlugs, business.menus, business.times) = (formerSlugs, menus, times)
    }

    // The fields that follow those of the text, around the hours.
    private static let beforeHours: FieldSet<Business> = ["owner_id", "category"]
    private static let afterHours = BusinessText.rest.subtracting(["owner_id", "category", "hours"])
}

extension Menu {
    /// The menu with its items in the order of their names.
    var sortedByName: Menu {
        var menu = self
        menu.items =
            items
            .map { (key: NameKey(name: $0.name, id: $0.id), item: $0) }
            .sorted { $0.key < $1.key }
            .map(\.item)
        return menu
    }
}
