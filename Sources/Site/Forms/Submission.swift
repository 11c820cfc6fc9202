import Bytes
import Dispatcher
import HTTP
import SookeModel

/// What somebody sent with a form: for each field what they typed, and for each field of a record what the form showed
/// before.
struct Submission: Sendable {
    let fields: [(name: String, value: String)]
    /// Where each name is for the first time.
    private let places: [ByteText: Int]

    fileprivate static let before = "was."
    /// The most fields: no form of the site has a fifth.
    private static let mostFields = 1_000

    private init(_ fields: [(name: String, value: String)]) {
        self.fields = fields.map { ($0, $1.prefix(bytes: FieldLengths.bytes(of: $0))) }
        places = Dictionary(fields.enumerated().map { (ByteText($1.name), $0) }) { first, _ in first }
    }

    func setting(_ name: String, to text: String) -> Submission {
        Submission(fields.filter { $0.name != name } + [(name, text)])
    }

    func without(_ name: String) -> Submission { Submission(fields.filter { $0.name != name }) }

    /// The button by which somebody only looks at what they typed.
    static let look = "look"

    func showIfOnlyLooking() throws {
        if isSet(Self.look) { throw FormRefusal(FormState(sent: self, focus: Self.look), .ok) }
    }

    /// The field by which something new is made once.
    static let keyName = "key"
    var key: String { self[Self.keyName] ?? "" }

    /// - Throws: 400 when the body is not that of a form.
    init(_ request: Request) throws(HTTPError) {
        // Before they are decoded, which takes longer.
        guard request.body.count(where: { $0 == UInt8(ascii: "&") }) < Self.mostFields else {
            throw .invalidParameter("the form has too many fields")
        }
        // No field has such a long name.
        self.init(try Query(form: request.body).pairs().filter { $0.name.utf8.count <= 100 })
    }

    /// What was typed; nil when the form has no such field. Browsers send line breaks as CR LF.
    subscript(name: String) -> String? { exact(name).map(\.typed) }

    /// The same with its spaces, for a password.
    func exact(_ name: String) -> String? { places[ByteText(name)].map { fields[$0].value } }

    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value.typed) }

    func isSet(_ name: String) -> Bool { exact(name) != nil }

    /// What the form showed before; nil for a field that shows nothing of a record.
    func before(_ name: String) -> String? { self[Self.before + name] }

    static func nameBefore(_ name: String) -> String { before + name }

    /// What nobody typed, and the codes of links.
    private static let hidden = [
        "code", keyName, "stamp", "reference", "version", "business-version", "login-then", look,
    ]

    var texts: [(name: String, value: String)] {
        fields.filter { name, value in
            !value.isEmpty && !name.hasPrefix(Self.before) && !name.hasSuffix("password")
                && !Self.hidden.contains { $0 == name }
        }
    }

    /// The problems of the fields of which only the beginning was kept.
    var cut: FieldProblems {
        var problems = FieldProblems()
        for (name, value) in fields where value.utf8.count >= FieldLengths.bytes(of: name) - 3 {
            let length = FieldLengths.characters(of: name)
            problems.add(name, "is longer than the \(length) characters that are allowed; the rest is missing here")
        }
        return problems
    }
}

/// The most characters of the fields of forms, by what becomes of them.
enum FieldLengths {
    /// That of a field, also of the hidden one with what it showed. One of several has a number after a dot.
    static func characters(of name: String) -> Int {
        let start = name.hasPrefix(Submission.before) ? Submission.before.utf8.count : 0
        switch String(Substring(name.utf8.dropFirst(start).prefix { $0 != UInt8(ascii: ".") })) {
        case "name", "display_name", "place": return TextRules.name.upperBound
        case "slug", "type": return TextRules.slug.upperBound
        case "description", "about", "reason", "cell": return TextRules.description.upperBound
        case "area": return TextRules.area.upperBound
        case "synonyms": return Category.mostSynonyms * (TextRules.synonym.upperBound + 2)
        case "address": return TextRules.address.upperBound
        case "phone": return TextRules.phone.upperBound
        case "email", "contact_email", "owner", LoginPage.email: return TextRules.email.upperBound
        case TownFields.calendar, "blocked_links": return 200_000
        case "items": return AccountLimits.standard.businessBytes / 4
        case "stamp", "reference", Submission.keyName, "repeat": return 100
        default: return TextRules.website.upperBound
        }
    }

    /// How many bytes are kept: four for each character, and for one more, so that its rule refuses what is too long.
    static func bytes(of name: String) -> Int { 4 * (characters(of: name) + 1) }
}

extension String {
    /// A text as forms return it: with line feeds, without spaces around it, and without NUL, which no page can show.
    var typed: String {
        var lines = ""
        var previous: Unicode.Scalar = " "
        for scalar in unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\r": lines.unicodeScalars.append("\n")
            case "\0": lines.unicodeScalars.append("\u{FFFD}")
            default: lines.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        let scalars = lines.unicodeScalars
        guard let start = scalars.firstIndex(where: { !isSpace($0) }),
            let end = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return String(scalars[start...end])
    }
}

/// The texts of pages are compared by their bytes, lengths first.
///
/// In this module these take the place of those of the standard library, which normalize both texts: that takes seconds
/// for what anyone may send in a form. Sets, dictionaries and lists of `String` do not use them, and have `ByteText`.
extension String {
    static func == (left: String, right: String) -> Bool { left.hasSameBytes(as: right) }
    static func != (left: String, right: String) -> Bool { !left.hasSameBytes(as: right) }
    static func ~= (pattern: String, text: String) -> Bool { text.hasSameBytes(as: pattern) }

    func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
    func hasSuffix(_ suffix: String) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }

    func split(at separators: Unicode.Scalar...) -> [String] {
        utf8.split { byte in separators.contains { $0.value == byte } }.map { String(Substring($0)) }
    }
}

extension String? {
    static func == (left: String?, right: String?) -> Bool { left.map(ByteText.init) == right.map(ByteText.init) }
    static func != (left: String?, right: String?) -> Bool { left.map(ByteText.init) != right.map(ByteText.init) }
}
