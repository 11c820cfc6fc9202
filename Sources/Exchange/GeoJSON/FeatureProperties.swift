import Bytes
import JSON

/// The properties of a feature: columns, tags of OpenStreetMap, or members of a business in a response of the server.
struct FeatureProperties {
    /// The values that are texts, numbers or booleans, by name; nil for null. Names are in their order.
    private var values: [(name: String, text: String?)] = []
    private var nested: [String] = []

    /// Names for the same in OpenStreetMap and in responses, which count when the column itself is not there.
    private static let otherNames: [(name: String, column: String)] = [
        ("category_slug", "category"), ("contact:phone", "phone"), ("contact:mobile", "phone"),
        ("contact:email", "email"), ("contact:website", "website"), ("url", "website"),
    ]
    /// The keys of OpenStreetMap whose value is a kind of business.
    private static let kinds = ["amenity", "shop", "tourism", "leisure", "craft", "office"]
    /// What identifies a feature in another program or says where its data comes from, and what a response says of a
    /// business beside its fields.
    private static let silent: Set<String> = [
        "id", "category_name", "hours", "today_hours", "open_state", "distance_m", "checked", "confirmed_at",
        "osm_id", "osm_type", "full_id", "source", "check_date", "ref", "fixme", "building", "wikidata", "wikipedia",
    ]
    /// The beginnings and endings of such names.
    private static let silentStarts = ["@", "source:", "check_date:", "ref:", "building:"]
    private static let silentEnds = [":wikidata", ":wikipedia", ":signed"]
    /// The values of `type` in OpenStreetMap, where it is the kind of object.
    private static let objectTypes = ["node", "way", "relation", "multipolygon", "boundary", "site", "route"]

    /// Reads the object.
    ///
    /// - Throws: when it is not JSON.
    mutating func read(from reader: inout JSONReader) throws(JSONError) {
        try reader.beginObject()
        while let name = try reader.nextKey() {
            switch try reader.peek() {
            case .string: values.append((name, try reader.readString()))
            case .number: values.append((name, String(decoding: try reader.readRawSlice(), as: UTF8.self)))
            case .bool: values.append((name, try reader.readBool() ? "true" : "false"))
            case .null:
                _ = try reader.readNull()
                values.append((name, nil))
            // Converters of OpenStreetMap may leave the tags in an object of their own.
            case .object where name == "tags" && !isInTags: try readTags(from: &reader)
            case .object, .array:
                nested.append(name)
                try reader.skipValue()
            }
        }
    }

    /// Whether the object that is read is that of the tags.
    private var isInTags = false

    init() {}

    private mutating func readTags(from reader: inout JSONReader) throws(JSONError) {
        isInTags = true
        try read(from: &reader)
        isInTags = false
    }

    /// Adds the cells to a record that has its place.
    func fill(_ record: inout SourceRecord) {
        let texts = Dictionary(values.map { ($0.name, $0.text ?? "") }) { first, _ in first }
        // A search in the cells for each name would take quadratic time.
        var (columns, used) = (Set(record.cells.map(\.column)), Set<String>())
        func set(_ column: String, _ text: String, from name: String) {
            used.insert(name)
            if columns.insert(column).inserted { record.cells.append((column, text.withoutInvisibleEnds)) }
        }
        for (name, column) in Self.otherNames where texts[column] == nil && !columns.contains(column) {
            if let text = texts[name] { set(column, text, from: name) }
        }
        if texts["category"] == nil, !columns.contains("category"),
            let kind = Self.kinds.first(where: { texts[$0] != nil }), let value = texts[kind]
        {
            set("category", (value == "yes" ? kind : value).spaced, from: kind)
        }
        if texts["address"] == nil, let address = Self.address(texts, &used) {
            set("address", address, from: "address")
        }
        for (name, text) in values
        where !used.contains(name) && !Self.isSilent(name, text ?? "") && !columns.contains(name) {
            if Self.isTag(name) {
                record.ignored.append(name)
            } else {
                set(name, text ?? "", from: name)
            }
        }
        record.ignored += nested.filter { !Self.isSilent($0, "") }
    }

    /// Whether a name can only be a tag or a member that is used under another name.
    private static func isTag(_ name: String) -> Bool {
        name.utf8.contains(UInt8(ascii: ":")) || kinds.contains(name) || otherNames.contains { $0.name == name }
    }

    /// Whether a value says nothing about a business.
    private static func isSilent(_ name: String, _ text: String) -> Bool {
        silent.contains(name) || name == "type" && text.utf8.count <= 20 && objectTypes.contains(text)
            || silentStarts.contains(where: name.hasPrefix) || silentEnds.contains(where: name.hasSuffix)
    }

    /// `6701 West Coast Rd, Unit 5, Sooke` of the tags `addr:…`; the town alone is better than no address.
    private static func address(_ texts: [String: String], _ used: inout Set<String>) -> String? {
        func take(_ key: String) -> String? {
            guard let text = texts["addr:\(key)"], !text.isEmpty else { return nil }
            used.insert("addr:\(key)")
            return text
        }
        func takeTown() -> String? { take("city") ?? take("village") ?? take("hamlet") ?? take("suburb") }
        guard let way = take("street") ?? take("place") else { return take("full") ?? takeTown() }
        let street = [take("housenumber"), way].compactMap(\.self).joined(separator: " ")
        let unit = take("unit").map { $0.utf8.allSatisfy(ASCII.isDigit) ? "Unit \($0)" : $0 }
        return [street, unit, takeTown()].compactMap(\.self).joined(separator: ", ")
    }
}

extension String {
    /// `fast_food` as people write it.
    fileprivate var spaced: String {
        String(decoding: utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }
}
