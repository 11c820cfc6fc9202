import ViewTree

extension Key {
    /// The key as the screen names it.
    var name: String {
        switch self {
        case .character(" "): "space"
        case .character(let character): String(character)
        case .control(let letter): "^" + letter.uppercased()
        case .enter: "⏎"
        case .escape: "esc"
        case .backspace: "⌫"
        case .tab: "tab"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        }
    }
}
