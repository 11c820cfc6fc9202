package enum Key: Hashable, Sendable {
    case character(Character)
    case control(Character)
    case enter
    case escape
    case backspace
    case tab
    case up
    case down
    case left
    case right
    case pageUp
    case pageDown
    case home
    case end
}

package enum KeyPressResult: Sendable {
    case handled
    case ignored
}

struct KeyHandler {
    let isFocused: Bool
    let action: (Key) -> KeyPressResult
}

extension View {
    /// Handles keys that no view inside this one has handled.
    package func onKeyPress(_ action: @escaping (Key) -> KeyPressResult) -> some View {
        Modified(
            content: self,
            rendering: { $0.keyHandlers.append(KeyHandler(isFocused: $1.environment.isFocused, action: action)) })
    }

    /// Handles one key, unless a view inside this one has handled it.
    package func onKeyPress(_ key: Key, action: @escaping () -> Void) -> some View {
        onKeyPress { pressed in
            guard pressed == key else { return .ignored }
            action()
            return .handled
        }
    }
}

package struct Button: View {
    private let title: String
    private let key: Key
    private let action: () -> Void
    @Environment(\.isEnabled) private var isEnabled

    package init(_ title: String, key: Key, action: @escaping () -> Void) {
        self.title = title
        self.key = key
        self.action = action
    }

    package var body: some View {
        FieldContent(content: .button(title, key: key, isEnabled: isEnabled))
            .onKeyPress { pressed in
                guard isEnabled, pressed == key else { return .ignored }
                action()
                return .handled
            }
    }
}
