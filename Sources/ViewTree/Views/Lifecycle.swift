extension View {
    package func onAppear(perform action: @escaping () -> Void) -> some View {
        AppearModifier(content: self, action: action)
    }

    /// Starts a task when the view appears and cancels it when the view leaves the tree.
    package func task(_ action: @escaping @MainActor () async -> Void) -> some View {
        task(id: 0, action)
    }

    /// Starts a task when the view appears and again when the ID changes, and cancels the one before.
    package func task<ID: Equatable>(id: ID, _ action: @escaping @MainActor () async -> Void) -> some View {
        TaskModifier(content: self, id: id, action: action)
    }

    /// Calls the action with the old and the new value after the value has changed.
    package func onChange<Value: Equatable>(
        of value: Value, _ action: @escaping (Value, Value) -> Void
    ) -> some View {
        ChangeModifier(content: self, value: value, action: action)
    }

    /// Gives the view an identity: with another ID it is another view, with new state and new tasks.
    package func id(_ id: some Hashable) -> some View {
        IdentityModifier(child: Child(.explicit(id), self))
    }
}

struct AppearModifier<Content: View>: Modifier {
    let content: Content
    let action: () -> Void

    func didUpdate(_ node: Node, previous: Self?) {
        if previous == nil { node.tree.perform(action) }
    }
}

struct TaskModifier<Content: View, ID: Equatable>: Modifier {
    let content: Content
    let id: ID
    let action: @MainActor () async -> Void

    func didUpdate(_ node: Node, previous: Self?) {
        if previous?.id == id { return }
        node.task = Task { [action] in await action() }
    }
}

struct ChangeModifier<Content: View, Value: Equatable>: Modifier {
    let content: Content
    let value: Value
    let action: (Value, Value) -> Void

    func didUpdate(_ node: Node, previous: Self?) {
        guard let previous, previous.value != value else { return }
        node.tree.perform { action(previous.value, value) }
    }
}

struct IdentityModifier: Primitive {
    let child: Child
    var children: [Child] { [child] }
}
