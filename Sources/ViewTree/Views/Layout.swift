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
        Modified(
            content: self,
            rendering: { rendering, _ in
                rendering.content = [.framed(width: width, .vertical(rendering.content))]
            })
    }
}
