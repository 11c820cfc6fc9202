/// A part of the screen, described by a value. The tree creates it, evaluates its body and discards it; what has to
/// survive is in `State` or in an observable model.
@MainActor public protocol View {
    /// The views that this one consists of.
    associatedtype Body: View
    /// Evaluated when the view appears, when its parent is evaluated, and when something that it read has changed.
    @ViewBuilder var body: Body { get }
}

/// A view that the tree renders without a body.
public protocol PrimitiveView: View where Body == EmptyView {}

extension PrimitiveView {
    /// Not evaluated: a primitive view has no body.
    public var body: EmptyView { EmptyView() }
}

/// A view that shows nothing.
public struct EmptyView: Primitive {
    /// Ends the chain of bodies.
    public typealias Body = EmptyView

    /// Creates the view.
    public init() {}
}
