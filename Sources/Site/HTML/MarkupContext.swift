import Bytes

/// Where in the markup of a literal an insertion stands (HTML, 13.2.5), as far as it says what may be inserted there.
struct MarkupContext {
    enum Insertion {
        /// An escaped text, in an element or a quoted attribute.
        case text
        /// Markup between tags.
        case markup
        case attribute
        /// An escaped part of an address, after its beginning.
        case partOfAddress
        case address
    }

    private enum State: Equatable {
        case content
        /// `<`, before the name of the element.
        case tagStart
        case tagName
        /// Between attributes.
        case tag
        case attributeName
        case beforeValue
        case value
        /// A value without quotes ends at a space, which an inserted text may have.
        case unquoted
        case comment
        /// The text of a script or a style, which has no escapes.
        case raw
    }

    private var state = State.content
    private var element: [UInt8] = []
    private var attribute: [UInt8] = []
    private var value: [UInt8] = []
    private var quote: UInt8 = 0

    var isComplete: Bool { state == .content }

    mutating func read(_ literal: some Sequence<UInt8>) {
        for byte in literal { read(byte) }
    }

    private mutating func read(_ byte: UInt8) {
        let isSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
        let isInName = !isSpace && byte != UInt8(ascii: ">")
        switch (state, byte) {
        case (.content, UInt8(ascii: "<")): (state, element) = (.tagStart, [])
        case (.tagStart, UInt8(ascii: "!")): element.append(byte)
        case (.tagStart, UInt8(ascii: "-")) where element.count < 2: element.append(byte)
        case (.tagStart, UInt8(ascii: "-")): (state, value) = (.comment, [])
        case (.tagStart, _) where isInName, (.tagName, _) where isInName:
            state = .tagName
            element.append(byte)
        case (.tagStart, _), (.tagName, _), (.tag, _), (.unquoted, _), (.attributeName, _), (.beforeValue, _):
            readInTag(byte, isSpace: isSpace)
        case (.value, quote): state = .tag
        case (.value, _): value.append(byte)
        case (.comment, UInt8(ascii: ">")) where value.suffix(2).elementsEqual("--".utf8): state = .content
        case (.comment, _): value.append(byte)
        case (.raw, UInt8(ascii: "<")): (state, element) = (.tagStart, [])
        default: break
        }
    }

    private mutating func readInTag(_ byte: UInt8, isSpace: Bool) {
        switch (state, byte) {
        case (.beforeValue, UInt8(ascii: "\"")), (.beforeValue, UInt8(ascii: "'")):
            (state, quote, value) = (.value, byte, [])
        case (.beforeValue, _) where !isSpace: (state, value) = (.unquoted, [byte])
        case (_, UInt8(ascii: ">")):
            state = ["script", "style"].contains { element.elementsEqual($0.utf8) } ? .raw : .content
        case (.attributeName, UInt8(ascii: "=")): state = .beforeValue
        case (.attributeName, _) where !isSpace: attribute.append(ASCII.lowercased(byte))
        case (.tag, _) where !isSpace && byte != UInt8(ascii: "/"): (state, attribute) = (.attributeName, [byte])
        case (.beforeValue, _): break
        case (.unquoted, _) where !isSpace: value.append(byte)
        default: state = .tag
        }
    }

    func allows(_ insertion: Insertion) -> Bool {
        switch insertion {
        case .markup: state == .content
        case .text: state == .content || state == .value && !isAddress && !isCode
        case .attribute: [.tag, .tagName, .attributeName].contains(state)
        case .address: state == .value && isAddress && value.isEmpty
        case .partOfAddress: state == .value && isAddress && hasSafeStart
        }
    }

    private var isAddress: Bool {
        ["href", "src", "action", "formaction", "cite", "data", "poster"].contains { attribute.elementsEqual($0.utf8) }
    }

    /// Whether the browser runs or parses the value.
    private var isCode: Bool {
        attribute.starts(with: "on".utf8)
            || ["style", "srcdoc", "srcset"].contains { attribute.elementsEqual($0.utf8) }
    }

    /// `//` begins an address of another site.
    private var hasSafeStart: Bool {
        ["?", "#"].contains { value.starts(with: $0.utf8) }
            || value.starts(with: "/".utf8) && value.count > 1 && value[1] != UInt8(ascii: "/")
    }
}
