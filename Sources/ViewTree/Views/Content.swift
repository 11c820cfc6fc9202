/// What a program draws.
package struct Screen: Equatable, Sendable {
    package var content: Content = .vertical([])
    /// The presented sheets; the last one is on top.
    package var sheets: [Content] = []

    package init(content: Content = .vertical([]), sheets: [Content] = []) {
        (self.content, self.sheets) = (content, sheets)
    }
}

/// What views render, independent of a terminal: the program decides on widths, colours and the position of the cursor.
package indirect enum Content: Equatable, Sendable {
    case text(String, TextStyle)
    case horizontal([Content])
    case vertical([Content])
    case spacer
    case divider
    /// A part with a fixed number of columns.
    case framed(width: Int, Content)
    /// Rows that scroll so that the selected one is visible.
    case list([Content], selected: Int?)
    /// A text that is edited, with the number of characters left of the cursor while it has the focus.
    case field(String, prompt: String, cursor: Int?)
    case button(String, key: Key, isEnabled: Bool)
}

/// How a text looks: colours are named by role, and the program maps them to what the terminal has.
package struct TextStyle: Equatable, Sendable {
    package enum Role: Sendable {
        case primary
        case secondary
        case accent
        case open
        case soon
        case warning
    }

    package var role: Role
    package var isBold: Bool

    package init(role: Role = .primary, isBold: Bool = false) {
        self.role = role
        self.isBold = isBold
    }
}
