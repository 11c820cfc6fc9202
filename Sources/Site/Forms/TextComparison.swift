import Bytes
import SookeModel

/// The texts of pages are compared by their bytes, lengths first.
///
/// In this module these take the place of those of the standard library, which normalize both texts: that takes seconds
/// for what anybody may send in a form. Sets, dictionaries and lists of `String` do not use them, and have `ByteText`.
extension String {
    static func == (left: String, right: String) -> Bool { left.hasSameBytes(as: right) }
    static func != (left: String, right: String) -> Bool { !left.hasSameBytes(as: right) }
    static func ~= (pattern: String, text: String) -> Bool { text.hasSameBytes(as: pattern) }

    func hasPrefix(_ prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }
    func hasSuffix(_ suffix: String) -> Bool { utf8.reversed().starts(with: suffix.utf8.reversed()) }

    /// The parts between some characters of ASCII, without empty ones.
    func split(at separators: Unicode.Scalar...) -> [String] {
        utf8.split { byte in separators.contains { $0.value == byte } }.map { String(Substring($0)) }
    }
}

extension String? {
    static func == (left: String?, right: String?) -> Bool { left.map(ByteText.init) == right.map(ByteText.init) }
    static func != (left: String?, right: String?) -> Bool { left.map(ByteText.init) != right.map(ByteText.init) }
}
