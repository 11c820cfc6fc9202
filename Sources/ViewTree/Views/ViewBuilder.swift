/// Makes one view of the statements in a body.
@MainActor @resultBuilder public enum ViewBuilder {
    /// A body of one statement is that view.
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    /// The statements of a body, each identified by its position.
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Group {
        var children: [any View] = []
        repeat children.append(each content)
        return Group(children)
    }

    /// An `if` without `else`.
    public static func buildOptional<Content: View>(_ content: Content?) -> ConditionalContent<Content, EmptyView> {
        ConditionalContent(branch: 0, content: content)
    }

    /// The first branch of a condition.
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
        ConditionalContent(branch: 0, content: first)
    }

    /// The second branch of a condition.
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
        ConditionalContent(branch: 1, content: second)
    }
}

/// Several views at the place of one.
public struct Group: Primitive {
    let children: [Child]

    init(_ children: [any View]) {
        self.children = children.enumerated().map { Child(.position($0.offset), $0.element) }
    }
}

/// One branch of a condition. A view in another branch has another identity, even if it has the same type.
public struct ConditionalContent<First: View, Second: View>: Primitive {
    let children: [Child]

    init(branch: Int, content: (any View)?) {
        children = content.map { [Child(.position(branch), $0)] } ?? []
    }
}
