import Bytes

/// The name pattern of a backup, with fields for parts of the time: `town-%Y-%m-%d.json`.
///
/// The fields are those of strftime(3): `%Y`, `%m`, `%d`, `%H`, `%M`, `%S` and `%a`; `%%` is a percent sign. They are
/// in UTC, so that names sort by time and no hour is repeated. Only the last component of a path has fields.
struct BackupName: Equatable {
    private enum Piece: Equatable {
        case text([UInt8])
        case field(Field)
    }

    private enum Field: Character, CaseIterable {
        case year = "Y"
        case month = "m"
        case day = "d"
        case hour = "H"
        case minute = "M"
        case second = "S"
        case weekday = "a"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// The folder of the backup, as given.
    let folder: String
    private let prefix: String
    private let pieces: [Piece]

    /// Whether names depend on the time.
    var hasFields: Bool { pieces.contains { if case .field = $0 { true } else { false } } }

    /// Parses a path; nil when a percent sign is followed by anything but the letter of a field.
    init?(_ path: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        prefix = String(path[..<start])
        folder = prefix.isEmpty ? "." : prefix == "/" ? "/" : String(prefix.dropLast())
        var pieces: [Piece] = []
        var text = ""
        var rest = path[start...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                text.append(character)
                continue
            }
            guard let letter = rest.popFirst() else { return nil }
            if letter == "%" {
                text.append(letter)
                continue
            }
            guard let field = Field(rawValue: letter) else { return nil }
            pieces += [.text(Array(text.utf8)), .field(field)]
            text = ""
        }
        self.pieces = pieces + [.text(Array(text.utf8))]
    }

    func path(at moment: Timestamp) -> String {
        prefix + String(decoding: pieces.flatMap { Self.bytes(of: $0, at: moment) }, as: UTF8.self)
    }

    func path(ofFile name: String) -> String { prefix + name }

    func matches(_ name: String) -> Bool {
        var rest = Array(name.utf8)[...]
        for piece in pieces {
            guard let length = Self.length(of: piece, in: rest) else { return false }
            rest = rest.dropFirst(length)
        }
        return rest.isEmpty
    }

    private static func bytes(of piece: Piece, at moment: Timestamp) -> [UInt8] {
        let field: Field
        switch piece {
        case .text(let text): return text
        case .field(let found): field = found
        }
        let (date, microseconds) = moment.civil
        let seconds = microseconds / 1_000_000
        let number =
            switch field {
            case .weekday: 0
            case .year: date.year
            case .month: date.month
            case .day: date.day
            case .hour: seconds / 3600
            case .minute: seconds / 60 % 60
            case .second: seconds % 60
            }
        if field == .weekday { return Array(weekdays[date.dayOfWeek].utf8) }
        let digits = String(number)
        return Array((String(repeating: "0", count: max(0, width(of: field) - digits.count)) + digits).utf8)
    }

    /// The length of a piece at the start of a name; nil when the name does not match.
    private static func length(of piece: Piece, in name: ArraySlice<UInt8>) -> Int? {
        switch piece {
        case .text(let text):
            return name.starts(with: text) ? text.count : nil
        case .field(.weekday):
            return weekdays.contains { name.starts(with: $0.utf8) } ? width(of: .weekday) : nil
        case .field(let field):
            let digits = name.prefix(width(of: field))
            return digits.count == width(of: field) && digits.allSatisfy(ASCII.isDigit) ? digits.count : nil
        }
    }

    private static func width(of field: Field) -> Int {
        switch field {
        case .year: 4
        case .weekday: 3
        default: 2
        }
    }
}
