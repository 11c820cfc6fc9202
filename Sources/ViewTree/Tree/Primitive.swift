/// What the tree asks of a view that it renders without a body.
@MainActor protocol Primitive: PrimitiveView {
    var children: [Child] { get }
    /// Whether `children` runs code of the program, so that its reads are tracked as those of a body are.
    static var isObserving: Bool { get }
    func change(_ environment: inout EnvironmentValues)
    /// Called after each evaluation of the subtree.
    func didUpdate(_ node: Node)
    /// Changes what the children rendered to what this view renders.
    func render(_ rendering: inout Rendering, node: Node)
}

extension Primitive {
    var children: [Child] { [] }
    static var isObserving: Bool { false }
    func change(_ environment: inout EnvironmentValues) {}
    func didUpdate(_ node: Node) {}
    func render(_ rendering: inout Rendering, node: Node) {}
}

protocol Modifier: Primitive {
    associatedtype Content: View
    var content: Content { get }
}

extension Modifier {
    var children: [Child] { [Child(.position(0), content)] }
}

/// What the methods of a view make of it.
struct Modified<Content: View>: Modifier {
    let content: Content
    var environmentChange: (inout EnvironmentValues) -> Void = { _ in }
    var update: (Node) -> Void = { _ in }
    var rendering: (inout Rendering, Node) -> Void = { _, _ in }

    func change(_ environment: inout EnvironmentValues) { environmentChange(&environment) }
    func didUpdate(_ node: Node) { update(node) }
    func render(_ rendering: inout Rendering, node: Node) { self.rendering(&rendering, node) }
}

/// A view inside another, with its identity there.
struct Child {
    enum ID: Hashable, CustomStringConvertible {
        case position(Int)
        case explicit(AnyHashable)

        var description: String {
            switch self {
            case .position(let position): "\(position)"
            case .explicit(let id): "\(id.base)"
            }
        }
    }

    /// A view of another type at the same place is another view.
    struct Identity: Hashable {
        let id: ID
        let type: ObjectIdentifier
    }

    let identity: Identity
    let view: any View

    init(_ id: ID, _ view: any View) {
        identity = Identity(id: id, type: ObjectIdentifier(type(of: view)))
        self.view = view
    }
}

@MainActor struct Rendering {
    var content: [Content] = []
    var sheets: [Content] = []
    var preferences = Preferences()
    /// In the order in which they are offered a key.
    var keyHandlers: [KeyHandler] = []
    var sheetKeyHandlers: [KeyHandler]?
    var errors: [TreeError] = []

    mutating func append(_ next: Rendering) {
        content += next.content
        sheets += next.sheets
        preferences.append(next.preferences)
        keyHandlers = next.keyHandlers + keyHandlers
        sheetKeyHandlers = next.sheetKeyHandlers ?? sheetKeyHandlers
        errors += next.errors
    }
}
