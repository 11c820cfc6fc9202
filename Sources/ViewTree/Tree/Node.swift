import Observation
import Synchronization

/// The identity of a view in the tree. The values of the view come and go; the node holds what survives them: the
/// state, the environment, the task and the children.
@MainActor final class Node {
    let id: Int
    unowned let tree: Tree
    private let identity: Child.Identity
    private(set) var view: any View
    private(set) var environment: EnvironmentValues
    private var children: [Node] = []
    private var locations: [String: AnyObject] = [:]
    private var errors: [TreeError] = []
    private var reads: Reads?
    private(set) var pass = 0
    var task: Task<Void, Never>? {
        didSet { oldValue?.cancel() }
    }
    private var memory: Any?

    init(_ child: Child, environment: EnvironmentValues, tree: Tree) {
        id = tree.makeNodeID()
        self.tree = tree
        identity = child.identity
        view = child.view
        self.environment = environment
        evaluate(view)
    }

    deinit {
        reads?.end()
        task?.cancel()
    }

    var name: String { String(String(describing: type(of: view)).prefix { $0 != "<" }) }

    func location<Value>(_ property: String, initial: () -> Value) -> Location<Value> {
        if let location = locations[property] as? Location<Value> { return location }
        let location = Location(initial())
        locations[property] = location
        return location
    }

    /// Stores a value of a modifier, and returns the one before it; nil the first time.
    func remember<Value>(_ value: Value) -> Value? {
        defer { memory = value }
        return memory.flatMap { $0 as? Value }
    }

    func update(_ invalid: Set<Int>, names: inout [String]) {
        guard invalid.contains(id) else {
            for child in children { child.update(invalid, names: &names) }
            return
        }
        names.append(name)
        evaluate(view)
    }

    func render() -> Rendering {
        var rendering = Rendering()
        for child in children { rendering.append(child.render()) }
        (view as? any Primitive)?.render(&rendering, node: self)
        rendering.content += errors.map { .text($0.description, TextStyle(role: .warning)) }
        rendering.errors += errors
        return rendering
    }

    private func evaluate<V: View>(_ view: V) {
        pass = tree.pass
        reads?.end()
        guard install(view) else { return replaceChildren(with: [], environment: environment) }
        // The children are evaluated after the body, outside of it: what they read is not what this view reads.
        if let primitive = view as? any Primitive {
            let isObserving = type(of: primitive).isObserving
            let contents = isObserving ? observe { primitive.children } : primitive.children
            var inner = environment
            primitive.change(&inner)
            replaceChildren(with: contents, environment: inner)
            primitive.didUpdate(self)
        } else {
            let body = observe { view.body }
            replaceChildren(with: [Child(.position(0), body)], environment: environment)
        }
    }

    /// Evaluates a body, so that the first change of what it reads invalidates this node.
    private func observe<Result>(_ body: () -> Result) -> Result {
        let reads = Reads()
        self.reads = reads
        return withObservationTracking {
            reads.begin()
            return body()
        } onChange: { [weak tree, id] in
            if !reads.haveEnded { tree?.invalidate(id) }
        }
    }

    /// Connects the property wrappers of a view with this node. Returns whether its body can be evaluated.
    private func install<V: View>(_ view: V) -> Bool {
        errors = []
        if tree.typesWithoutProperties.contains(ObjectIdentifier(V.self)) { return true }
        var isComplete = true
        var hasProperties = false
        for (label, value) in Mirror(reflecting: view).children {
            guard let property = value as? any DynamicProperty, let label else { continue }
            hasProperties = true
            let name = String(label.drop { $0 == "_" })
            errors += property.install(name, in: self, environment: environment)
            if !property.isAvailable(in: environment) { isComplete = false }
        }
        if !hasProperties { tree.typesWithoutProperties.insert(ObjectIdentifier(V.self)) }
        return isComplete
    }

    private func replaceChildren(with contents: [Child], environment: EnvironmentValues) {
        var former = Dictionary(children.map { ($0.identity, $0) }) { first, _ in first }
        var identities: Set<Child.Identity> = []
        children = contents.compactMap { child in
            guard identities.insert(child.identity).inserted else {
                errors.append(.duplicateID(view: name, id: child.identity.id.description))
                return nil
            }
            guard let node = former.removeValue(forKey: child.identity) else {
                return Node(child, environment: environment, tree: tree)
            }
            node.replace(child.view, environment: environment)
            return node
        }
        for node in former.values { node.leave() }
    }

    private func replace(_ view: any View, environment: EnvironmentValues) {
        self.view = view
        self.environment = environment
        evaluate(view)
    }

    func leave() {
        reads?.end()
        task = nil
        for child in children { child.leave() }
        children = []
    }
}

/// What one evaluation of a body read. `withObservationTracking` cannot be cancelled: the objects that were read refer
/// to the observation until one of them changes. So each evaluation reads a marker too, and ending it changes the
/// marker.
final class Reads: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let ended = Atomic(false)

    var haveEnded: Bool { ended.load(ordering: .relaxed) }

    private var marker: Void { () }

    func begin() {
        registrar.access(self, keyPath: \.marker)
    }

    func end() {
        ended.store(true, ordering: .relaxed)
        registrar.withMutation(of: self, keyPath: \.marker) {}
    }
}
