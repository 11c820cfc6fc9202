/// A key of a terminal.
public enum Key: Hashable, Sendable {
    /// A key that types a character.
    case character(Character)
    /// A character with the control key.
    case control(Character)
    /// The return key.
    case enter
    /// The escape key.
    case escape
    /// The key that deletes the character before the cursor.
    case backspace
    /// The tabulator key.
    case tab
    /// The arrow key up.
    case up
    /// The arrow key down.
    case down
    /// The arrow key to the left.
    case left
    /// The arrow key to the right.
    case right
    /// The key for the page before.
    case pageUp
    /// The key for the next page.
    case pageDown
    /// The key for the beginning.
    case home
    /// The key for the end.
    case end
}

/// What a view did with a key.
public enum KeyPressResult: Sendable {
    /// The key is not offered to other views.
    case handled
    /// The key is offered to the next view.
    case ignored
}

struct KeyHandler {
    let isFocused: Bool
    let action: (Key) -> KeyPressResult
}

extension View {
    /// Handles keys that no view inside this one has handled.
    public func onKeyPress(_ action: @escaping (Key) -> KeyPressResult) -> some View {
        KeyPressModifier(content: self, action: action)
    }

    /// Handles one key, unless a view inside this one has handled it.
    public func onKeyPress(_ key: Key, action: @escaping () -> Void) -> some View {
        onKeyPress { pressed in
            guard pressed == key else { return .ignored }
            action()
            return .handled
        }
    }
}

struct KeyPressModifier<Content: View>: Modifier {
    let content: Content
    let action: (Key) -> KeyPressResult
    @Environment(\.isFocused) private var isFocused

    init(content: Content, action: @escaping (Key) -> KeyPressResult) {
        self.content = content
        self.action = action
    }

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.keyHandlers.append(KeyHandler(isFocused: isFocused, action: action))
    }
}
