import Synchronization

/// Runs a view: evaluates the bodies, tracks what each of them reads, and redraws what depends on a change.
///
/// Models change on the main actor. All changes of one turn of it lead to one redraw after them.
@MainActor public final class Tree {
    /// More passes than this in one redraw mean that its actions cause each other.
    private static let maximumPasses = 100

    /// What is on the screen.
    public private(set) var screen = Screen()
    /// The mistakes in the views that are on the screen.
    public private(set) var errors: [TreeError] = []
    /// The names of the views that the last redraw evaluated because something that they read had changed.
    public private(set) var invalidated: [String] = []
    /// Counts the passes over the tree.
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
    public init(_ root: some View, onRedraw: @escaping (Screen) -> Void = { _ in }) {
        self.onRedraw = onRedraw
        self.root = Node(Child(.position(0), root), environment: EnvironmentValues(), tree: self)
        redraw()
    }

    /// Evaluates what has changed now, instead of after the current turn of the main actor.
    public func redraw() {
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
    @discardableResult public func press(_ key: Key) -> Bool {
        let ordered = keyHandlers.filter(\.isFocused) + keyHandlers.filter { !$0.isFocused }
        let isHandled = ordered.contains { $0.action(key) == .handled }
        redraw()
        return isHandled
    }

    /// Removes all views, which cancels their tasks.
    public func close() {
        root?.leave()
        root = nil
        keyHandlers = []
    }

    /// Marks a view. Called on the thread of the change, before the change.
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
