import Bytes
import JSON

/// The properties of a feature: columns, tags of OpenStreetMap, or members of a business in a response of the server.
struct FeatureProperties {
    private var values: [(name: String, text: String?)] = []
    private var nested: [String] = []

    /// In OpenStreetMap and in responses; these count when the column itself is not there.
    private static let otherNames: [(name: String, column: String)] = [
        ("category_slug", "category"), ("contact:phone", "phone"), ("contact:mobile", "phone"),
        ("contact:email", "email"), ("contact:website", "website"), ("url", "website"),
    ]
    /// Keys of OpenStreetMap whose value is a kind of business.
    private static let kinds = ["amenity", "shop", "tourism", "leisure", "craft", "office"]
    /// These identify a feature elsewhere or say where it comes from; a response has some beside the fields.
    private static let silent: Set<String> = [
        "id", "category_name", "hours", "today_hours", "open_state", "distance_m", "checked", "confirmed_at",
        "osm_id", "osm_type", "full_id", "source", "check_date", "ref", "fixme", "building", "wikidata", "wikipedia",
        "objectid", "fid", "gid", "globalid",
    ]
    /// Tags with the name of a column that mean something else.
    private static let otherMeanings: Set<String> = [
        "owner", "owner_name", "place", "location", "level", "type", "position", "map", "x", "y", "service", "start",
        "end", "geom", "the_geom", "geometry", "wkt",
    ]
    /// Tried in this order for a feature without a known name.
    private static let lastNames = words(
        """
        name_en official_name short_name alt_name loc_name name_1 name1 full_name fullname name_fr label brand \
        operator businessnm bus_nm busname bname biz bus_trade_name business_trade_name businesstradename \
        organization_name organisation_name organizationname licence_name license_name licencename licensename \
        licensee site_name poi_name poi display_name displayname marker_title asset_name facility tenant occupant \
        establishment restaurant store merchant entity org client naam nombre titre titel bezeichnung
        """)
    /// Begin the tags of a place that is no more, or not yet.
    private static let formerStarts = formerTags + words("was former old historic proposed construction planned")
    /// About the place as a whole: a house that is `historic` may have a business.
    private static let formerTags = ["disused", "abandoned", "demolished", "removed", "razed", "closed", "vacant"]
    private static let formerValues: Set<String> = [
        "vacant", "no", "disused", "abandoned", "empty", "closed", "demolished", "construction", "proposed",
    ]
    private static let silentStarts = ["@", "source:", "check_date:", "ref:", "building:"]
    private static let silentEnds = [":wikidata", ":wikipedia", ":signed"]
    /// Of OpenStreetMap, where `type` is the kind of object.
    private static let objectTypes = ["node", "way", "relation", "multipolygon", "boundary", "site", "route"]

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

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
            // Converters of OpenStreetMap may leave the tags in an object of their own; takeouts have a location.
            case .object where !isInside && ["tags", "location", "Location"].contains(name):
                isInside = true
                try read(from: &reader)
                isInside = false
            case .object, .array:
                nested.append(name)
                try reader.skipValue()
            }
        }
    }

    private var isInside = false

    init() {}

    /// The tag by which there is no business here now.
    var former: String? {
        let texts = Dictionary(values.map { ($0.name, $0.text ?? "") }) { first, _ in first }
        if let name = Self.formerTags.first(where: { texts[$0] == "yes" }) { return "\(name)=yes" }
        let kinds = Self.kinds.filter { texts[$0] != nil }
        let current = kinds.first { !Self.formerValues.contains(texts[$0] ?? "") }
        guard current == nil else { return nil }
        if let kind = kinds.first { return "\(kind)=\(texts[kind] ?? "")" }
        for (name, text) in values {
            guard let text, name.utf8.count <= 60 else { continue }
            let parts = name.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, Self.kinds.contains(String(parts[1])), text != "no",
                Self.formerStarts.contains(String(parts[0]))
            else { continue }
            return "\(name)=\(text)"
        }
        return nil
    }

    func fill(_ record: inout ImportRow) {
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
            set("category", (value == "yes" ? kind : value).split(separator: "_").joined(separator: " "), from: kind)
        }
        if !values.contains(where: { Self.isName($0.name) && $0.text?.withoutInvisibleEnds.isEmpty == false }),
            let (name, text) = lastName
        {
            set("name", text, from: name)
        }
        if texts["address"] == nil, let address = Self.address(texts, &used) {
            set("address", address, from: "address")
        }
        // Exact names before those that may be others.
        let others = values.filter { Self.isExact($0.name) } + values.filter { !Self.isExact($0.name) }
        for (name, text) in others
        where !used.contains(name) && !Self.isSilent(name, text ?? "") && !columns.contains(name) {
            if Self.isTag(name) {
                record.ignored.append(name)
            } else {
                set(name, text ?? "", from: name)
            }
        }
        record.ignored += nested.filter { !Self.isSilent($0, "") }
    }

    static func isName(_ property: String) -> Bool {
        guard property.utf8.count <= ColumnNames.longest else { return false }
        let name = ColumnNames.normalized(property)
        return !otherMeanings.contains(name) && name != "event" && name != "what"
            && ColumnNames.columns(named: name).contains("name")
    }

    private static func isExact(_ name: String) -> Bool {
        name.utf8.count <= ColumnNames.longest && ColumnNames.columns(named: ColumnNames.normalized(name)).count == 1
            || name == "name"
    }

    private var lastName: (name: String, text: String)? {
        let names = values.map { $0.name.utf8.count <= ColumnNames.longest ? ColumnNames.normalized($0.name) : "" }
        for name in Self.lastNames {
            guard let index = names.firstIndex(of: name) else { continue }
            let text = (values[index].text ?? "").withoutInvisibleEnds
            if !text.isEmpty, text != "yes", text != "no" { return (values[index].name, text) }
        }
        return nil
    }

    /// A name that can only be a tag, or a member that is used under another name.
    private static func isTag(_ name: String) -> Bool {
        name.utf8.contains(UInt8(ascii: ":")) || otherMeanings.contains(name.utf8.count > 20 ? "" : name.lowercased())
            || kinds.contains(name) || otherNames.contains { $0.name == name }
    }

    private static func isSilent(_ name: String, _ text: String) -> Bool {
        silent.contains(name) || name == "type" && text.utf8.count <= 20 && objectTypes.contains(text)
            || silentStarts.contains(where: name.hasPrefix) || silentEnds.contains(where: name.hasSuffix)
    }

    /// `6701 West Coast Rd, Unit 5, Sooke`; the town alone is better than no address.
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
