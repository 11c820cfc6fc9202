package struct Text: Primitive {
    private let text: String
    private var style = TextStyle()

    package init(_ text: String) {
        self.text = text
    }

    package func bold() -> Text {
        var copy = self
        copy.style.isBold = true
        return copy
    }

    package func foregroundStyle(_ role: TextStyle.Role) -> Text {
        var copy = self
        copy.style.role = role
        return copy
    }

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.text(text, style)]
    }
}

package struct HStack<Content: View>: Modifier {
    let content: Content

    package init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.horizontal(rendering.content)]
    }
}

package struct VStack<Content: View>: Modifier {
    let content: Content

    package init(@ViewBuilder content: () -> Content) {
        self.content = content()
    }

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.vertical(rendering.content)]
    }
}

/// Two views side by side, each as high as there is room.
package struct Panes<Leading: View, Trailing: View>: Primitive {
    private let leading: VStack<Leading>
    private let trailing: VStack<Trailing>

    package init(@ViewBuilder leading: () -> Leading, @ViewBuilder trailing: () -> Trailing) {
        (self.leading, self.trailing) = (VStack(content: leading), VStack(content: trailing))
    }

    var children: [Child] { [Child(.position(0), leading), Child(.position(1), trailing)] }

    func render(_ rendering: inout Rendering, node: Node) {
        guard rendering.content.count == 2 else { return }
        rendering.content = [.panes(rendering.content[0], rendering.content[1])]
    }
}

/// Takes the space that the other views of a stack leave.
package struct Spacer: Primitive {
    package init() {}

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.spacer]
    }
}

package struct Divider: Primitive {
    package init() {}

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.divider]
    }
}

extension View {
    package func frame(width: Int) -> some View {
        FrameModifier(content: self, width: width)
    }
}

extension View {
    /// Shows nothing of the view, whose keys work as before.
    package func hidden(_ isHidden: Bool) -> some View {
        HiddenModifier(content: self, isHidden: isHidden)
    }
}

struct HiddenModifier<Content: View>: Modifier {
    let content: Content
    let isHidden: Bool

    func render(_ rendering: inout Rendering, node: Node) {
        if isHidden { rendering.content = [] }
    }
}

struct FrameModifier<Content: View>: Modifier {
    let content: Content
    let width: Int

    func render(_ rendering: inout Rendering, node: Node) {
        rendering.content = [.framed(width: width, .vertical(rendering.content))]
    }
}
