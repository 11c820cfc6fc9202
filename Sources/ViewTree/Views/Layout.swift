/// A text in one style.
public struct Text: Primitive {
    private let text: String
    private var style = TextStyle()

    /// Creates a text.
    public init(_ text: String) {
        self.text = text
    }

    /// The text in bold.
    public func bold() -> Text {
        var copy = self
        copy.style.isBold = true
        return copy
    }

    /// The text in the colour of a role.
    public func foregroundStyle(_ role: TextStyle.Role) -> Text {
        var copy = self
        copy.style.role = role
        return copy
    }

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.text(text, style)]
    }
}

/// Views from left to right.
public struct HStack<Content: View>: Modifier {
    let content: Content

    /// Creates a stack.
    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.horizontal(rendering.content)]
    }
}

/// Views from top to bottom.
public struct VStack<Content: View>: Modifier {
    let content: Content

    /// Creates a stack.
    public init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.vertical(rendering.content)]
    }
}

/// Takes the space that the other views of a stack leave.
public struct Spacer: Primitive {
    /// Creates the view.
    public init() {}

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.spacer]
    }
}

/// A line between two views.
public struct Divider: Primitive {
    /// Creates the view.
    public init() {}

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.divider]
    }
}

extension View {
    /// Gives the view a fixed number of columns.
    public func frame(width: Int) -> some View {
        FrameModifier(content: self, width: width)
    }
}

struct FrameModifier<Content: View>: Modifier {
    let content: Content
    let width: Int

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.framed(width: width, .vertical(rendering.content))]
    }
}
