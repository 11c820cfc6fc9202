import Synchronization

/// Runs a view: evaluates the bodies, tracks what each of them reads, and redraws what depends on a change.
///
/// Models change on the main actor. All changes of one turn of it lead to one redraw after them.
@MainActor package final class Tree {
    /// More passes than this in one redraw mean that its actions cause each other.
    private static let maximumPasses = 100

    package private(set) var screen = Screen()
    package private(set) var errors: [TreeError] = []
    /// Views that the last redraw evaluated because something that they read had changed.
    package private(set) var invalidated: [String] = []
    private(set) var pass = 0

    /// Reflection is slow, and the properties of a type are always the same.
    var typesWithoutProperties: Set<ObjectIdentifier> = []

    private let onRedraw: (Screen) -> Void
    private nonisolated let pending = Mutex<Set<Int>>([])
    private var root: Node?
    private var lastNodeID = 0
    private var keyHandlers: [KeyHandler] = []
    private var actions: [() -> Void] = []
    private var isRedrawing = false

    /// Evaluates the view. `onRedraw` is called with each screen that differs from the one before.
    package init(_ root: some View, onRedraw: @escaping (Screen) -> Void = { _ in }) {
        self.onRedraw = onRedraw
        self.root = Node(Child(.position(0), root), environment: EnvironmentValues(), tree: self)
        redraw()
    }

    /// Evaluates what has changed now, instead of after the current turn of the main actor.
    package func redraw() {
        guard let root, !isRedrawing else { return }
        isRedrawing = true
        invalidated = []
        var rendering = root.render()
        for number in 1...Self.maximumPasses {
            runActions()
            let invalid = takePending()
            if invalid.isEmpty { break }
            pass += 1
            root.update(invalid, names: &invalidated)
            rendering = root.render()
            if number == Self.maximumPasses {
                actions = []
                rendering.errors.append(.unstable(views: Set(invalidated).sorted()))
            }
        }
        isRedrawing = false
        publish(rendering)
    }

    /// Offers a key to the views of the topmost sheet, or of the screen: to the focused ones first, then from the
    /// innermost outward. Returns whether one of them handled it.
    @discardableResult package func press(_ key: Key) -> Bool {
        let ordered = keyHandlers.filter(\.isFocused) + keyHandlers.filter { !$0.isFocused }
        let isHandled = ordered.contains { $0.action(key) == .handled }
        redraw()
        return isHandled
    }

    package func close() {
        root?.leave()
        root = nil
        keyHandlers = []
    }

    /// Called on the thread of the change, before the change.
    nonisolated func invalidate(_ id: Int) {
        let isFirst = pending.withLock { pending in
            defer { pending.insert(id) }
            return pending.isEmpty
        }
        if isFirst { Task { @MainActor [weak self] in self?.redraw() } }
    }

    /// Runs an action after the current pass, when it may change what bodies read.
    func perform(_ action: @escaping () -> Void) {
        actions.append(action)
    }

    func makeNodeID() -> Int {
        lastNodeID += 1
        return lastNodeID
    }

    private func runActions() {
        let due = actions
        actions = []
        for action in due { action() }
    }

    private func takePending() -> Set<Int> {
        pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }

    private func publish(_ rendering: Rendering) {
        keyHandlers = rendering.sheetKeyHandlers ?? rendering.keyHandlers
        errors = rendering.errors
        let next = Screen(content: .vertical(rendering.content), sheets: rendering.sheets)
        guard next != screen else { return }
        screen = next
        onRedraw(next)
    }
}

/// A mistake in the description of a view. The tree shows it at the place of the view and goes on.
package enum TreeError: Error, Hashable, CustomStringConvertible {
    case missingObject(view: String, property: String, type: String)
    case usedBeforeInstalled(view: String, property: String)
    case usedTwice(view: String, property: String)
    /// Two elements of a list have the same ID; the second is not shown.
    case duplicateID(view: String, id: String)
    case unstable(views: [String])

    package var description: String {
        switch self {
        case .missingObject(let view, let property, let type):
            "\(view).\(property): the environment has no \(type); add .environment(_:) to a view around it"
        case .usedBeforeInstalled(let view, let property):
            "\(view).\(property) is used before the view is in the tree; use it in the body or in an action"
        case .usedTwice(let view, let property):
            "\(view).\(property): one view value is at two places; create a value for each"
        case .duplicateID(let view, let id):
            "\(view): two elements have the ID \(id)"
        case .unstable(let views):
            "\(views.joined(separator: ", ")): each redraw causes another"
        }
    }
}
