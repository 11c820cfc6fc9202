import Bytes

/// The name pattern of a backup, with fields for parts of the time: `town-%Y-%m-%d.json`.
///
/// The fields are those of strftime(3): `%Y`, `%m`, `%d`, `%H`, `%M`, `%S` and `%a`; `%%` is a percent sign. They are
/// in UTC, so that names sort by time and no hour is repeated. Only the last component of a path has fields.
struct BackupName: Equatable {
    private static let weekdays = CivilDate.weekdayNames.map { String($0.prefix(3)) }

    let folder: String
    private let prefix: String
    private let pattern: String

    var hasFields: Bool { filled(["%": "%"]) == nil }

    /// - Returns: nil when a percent sign is followed by anything but the letter of a field.
    init?(_ path: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        (prefix, pattern) = (String(path[..<start]), String(path[start...]))
        folder = prefix.isEmpty ? "." : prefix == "/" ? "/" : String(prefix.dropLast())
        if filled(Self.values(at: Timestamp(microseconds: 0))) == nil { return nil }
    }

    func path(at moment: Timestamp) -> String { prefix + (filled(Self.values(at: moment)) ?? pattern) }

    func path(ofFile name: String) -> String { prefix + name }

    private static func values(at moment: Timestamp) -> [Unicode.Scalar: String] {
        let numbers = moment.rfc3339.split { !$0.isNumber }.map(String.init)
        let values = Dictionary(uniqueKeysWithValues: zip("YmdHMS".unicodeScalars, numbers))
        return values.merging(["a": weekdays[moment.civil.date.dayOfWeek], "%": "%"]) { first, _ in first }
    }

    /// The name with values for what follows a percent sign; nil when one has none.
    private func filled(_ values: [Unicode.Scalar: String]) -> String? {
        var (name, rest) = ("", pattern.unicodeScalars[...])
        while let scalar = rest.popFirst() {
            guard let value = scalar == "%" ? rest.popFirst().flatMap({ values[$0] }) : String(scalar) else {
                return nil
            }
            name += value
        }
        return name
    }

    func matches(_ name: String) -> Bool {
        var (rest, name) = (pattern.unicodeScalars[...], name.unicodeScalars[...])
        while let scalar = rest.popFirst() {
            guard scalar == "%", let field = rest.popFirst(), field != "%" else {
                if name.popFirst() != scalar { return false }
                continue
            }
            let text = name.prefix(field == "Y" ? 4 : field == "a" ? 3 : 2)
            name = name[text.endIndex...]
            let isWeekday = Self.weekdays.contains(String(text))
            let isNumber = text.count == (field == "Y" ? 4 : 2) && text.allSatisfy { "0"..."9" ~= $0 }
            if field == "a" ? !isWeekday : !isNumber { return false }
        }
        return name.isEmpty
    }
}
