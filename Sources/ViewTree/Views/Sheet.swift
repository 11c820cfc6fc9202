/// Closes the sheet around a view.
package struct DismissAction {
    let action: @MainActor () -> Void

    @MainActor package func callAsFunction() {
        action()
    }
}

extension View {
    /// Shows a view above the screen while the value is true. The sheet has the environment of this view; the escape
    /// key closes it, and no other key reaches the views below.
    package func sheet(isPresented: Binding<Bool>, @ViewBuilder content: @escaping () -> some View) -> some View {
        SheetModifier(content: self) {
            guard isPresented.wrappedValue else { return nil }
            return Child(
                .position(1), SheetContent(content: content()) { isPresented.wrappedValue = false })
        }
    }

    /// Shows a view above the screen while there is an item. Another item is another view.
    package func sheet<Item: Identifiable>(
        item: Binding<Item?>, @ViewBuilder content: @escaping (Item) -> some View
    ) -> some View {
        SheetModifier(content: self) {
            guard let value = item.wrappedValue else { return nil }
            return Child(.explicit(value.id), SheetContent(content: content(value)) { item.wrappedValue = nil })
        }
    }
}

struct SheetModifier<Content: View>: Modifier {
    let content: Content
    let sheet: () -> Child?

    static var isObserving: Bool { true }

    var children: [Child] {
        [Child(.position(0), content)] + [sheet()].compactMap(\.self)
    }
}

struct SheetContent<Content: View>: Modifier {
    let content: Content
    let dismiss: @MainActor () -> Void

    func change(_ environment: inout EnvironmentValues) {
        environment.dismiss = DismissAction(action: dismiss)
        environment.isFocused = false
        environment.isEnabled = true
    }

    func render(_ rendering: inout Rendering, node: Node) {
        let close = KeyHandler(isFocused: false) { key in
            guard key == .escape else { return .ignored }
            dismiss()
            return .handled
        }
        var sheet = Rendering()
        sheet.sheets = [.vertical(rendering.content)] + rendering.sheets
        sheet.sheetKeyHandlers = rendering.sheetKeyHandlers ?? rendering.keyHandlers + [close]
        sheet.errors = rendering.errors
        rendering = sheet
    }
}
