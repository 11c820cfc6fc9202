/// A field that `q` searches, the most important first.
public enum SearchField: UInt8, CaseIterable, Comparable, Sendable {
    /// The name of the record.
    case name
    /// The name of its category or of its event type.
    case term
    /// The name and the items of a menu.
    case menu
    /// The name of the business where an event takes place.
    case place
    case description
    case address

    /// The bit of the field in a mask.
    @inlinable public var bit: UInt8 { 1 << rawValue }

    /// Whether a field is more important than another.
    public static func < (left: SearchField, right: SearchField) -> Bool { left.rawValue < right.rawValue }
}

/// How well a word of a query matches a record: 0 is the best.
///
/// Literal matches come before those with a typo. Among each, the field decides, then whether the whole word matches.
public enum SearchClass {
    /// The class of each mask of fields, by match.
    private static let byMask: [[UInt8]] = (0...WordMatch.prefixTypo.rawValue).map { match in
        (0..<UInt8(1 << SearchField.allCases.count)).map { mask in
            UInt8(match & 1) + 2 * UInt8(min(mask.trailingZeroBitCount, fieldCount))
                + (match < WordMatch.typo.rawValue ? 0 : 2 * UInt8(fieldCount))
        }
    }

    private static let fieldCount = SearchField.allCases.count

    /// The classes of a match, by mask of fields.
    public static func classes(of match: WordMatch) -> [UInt8] { byMask[match.rawValue] }

    /// The class of a match in a field.
    public static func of(_ match: WordMatch, in field: SearchField) -> UInt8 { byMask[match.rawValue][Int(field.bit)] }
}
