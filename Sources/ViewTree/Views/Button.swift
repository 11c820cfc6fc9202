/// An action with the key that starts it, which is shown beside its title.
public struct Button: View {
    private let title: String
    private let key: Key
    private let action: () -> Void
    @Environment(\.isEnabled) private var isEnabled

    /// Creates a button.
    public init(_ title: String, key: Key, action: @escaping () -> Void) {
        self.title = title
        self.key = key
        self.action = action
    }

    /// The title with its key.
    public var body: some View {
        FieldContent(content: .button(title, key: key, isEnabled: isEnabled))
            .onKeyPress { pressed in
                guard isEnabled, pressed == key else { return .ignored }
                action()
                return .handled
            }
    }
}
