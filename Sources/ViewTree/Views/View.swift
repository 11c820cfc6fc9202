/// A part of the screen, described by a value. The tree creates it, evaluates its body and discards it; what has to
/// survive is in `State` or in an observable model.
@MainActor package protocol View {
    associatedtype Body: View
    /// Evaluated when the view appears, when its parent is evaluated, and when something that it read has changed.
    @ViewBuilder var body: Body { get }
}

package protocol PrimitiveView: View where Body == EmptyView {}

extension PrimitiveView {
    package var body: EmptyView { EmptyView() }
}

package struct EmptyView: Primitive {
    package typealias Body = EmptyView

    package init() {}
}

@MainActor @resultBuilder package enum ViewBuilder {
    package static func buildBlock<Content: View>(_ content: Content) -> Content { content }

    package static func buildBlock<each Content: View>(_ content: repeat each Content) -> Group {
        var children: [any View] = []
        repeat children.append(each content)
        return Group(children.enumerated().map { Child(.position($0.offset), $0.element) })
    }

    package static func buildOptional<Content: View>(_ content: Content?) -> ConditionalContent<Content, EmptyView> {
        ConditionalContent(branch: 0, content: content)
    }

    package static func buildEither<First: View, Second: View>(first: First) -> ConditionalContent<First, Second> {
        ConditionalContent(branch: 0, content: first)
    }

    package static func buildEither<First: View, Second: View>(second: Second) -> ConditionalContent<First, Second> {
        ConditionalContent(branch: 1, content: second)
    }
}

package struct Group: Primitive {
    let children: [Child]

    init(_ children: [Child]) {
        self.children = children
    }
}

/// One branch of a condition. A view in another branch has another identity, even if it has the same type.
package struct ConditionalContent<First: View, Second: View>: Primitive {
    let children: [Child]

    init(branch: Int, content: (any View)?) {
        children = content.map { [Child(.position(branch), $0)] } ?? []
    }
}
