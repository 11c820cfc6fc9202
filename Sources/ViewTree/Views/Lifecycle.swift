extension View {
    package func onAppear(perform action: @escaping () -> Void) -> some View {
        Modified(content: self, update: { if $0.remember(true) == nil { $0.tree.perform(action) } })
    }

    /// Starts a task when the view appears and cancels it when the view leaves the tree.
    package func task(_ action: @escaping @MainActor () async -> Void) -> some View {
        task(id: 0, action)
    }

    /// Starts a task when the view appears and again when the ID changes, and cancels the one before.
    package func task<ID: Equatable>(id: ID, _ action: @escaping @MainActor () async -> Void) -> some View {
        Modified(content: self, update: { if $0.remember(id) != id { $0.task = Task { await action() } } })
    }

    /// Calls the action with the old and the new value after the value has changed.
    package func onChange<Value: Equatable>(of value: Value, _ action: @escaping (Value, Value) -> Void) -> some View {
        Modified(
            content: self,
            update: { node in
                guard let previous = node.remember(value), previous != value else { return }
                node.tree.perform { action(previous, value) }
            })
    }

    /// Gives the view an identity: with another ID it is another view, with new state and new tasks.
    package func id(_ id: some Hashable) -> some View {
        Group([Child(.explicit(id), self)])
    }
}
