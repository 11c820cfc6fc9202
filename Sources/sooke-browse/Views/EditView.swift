import Foundation
import SookeClient
import ViewTree

/// A sheet to edit a business: a draft, and what both sides have changed.
struct EditView: View {
    @Environment(Browser.self) private var browser
    @Environment(\.dismiss) private var dismiss
    @State private var model: BusinessEditModel?
    /// What others changed while the form was open.
    @State private var merged: [BusinessField] = []
    let slug: String

    var body: some View {
        VStack {
            if let model {
                EditHeader(model: model)
                Divider()
                if model.isDeleted {
                    Text("Somebody has deleted this business. Nothing can be saved.").foregroundStyle(.warning)
                    Spacer()
                    Divider()
                    HStack { Button("back", key: .escape) { close(model.cancel) } }
                } else if !model.conflicts.isEmpty {
                    ConflictView(model: model) { close(model.leave) }
                } else if model.isOpen {
                    EditForm(model: model, merged: merged, close: close)
                } else {
                    Spacer()
                    Divider()
                    HStack { Button("back", key: .escape) { close(model.leave) } }
                }
            }
        }
        .onAppear {
            let model = BusinessEditModel(slug: slug, drafts: browser.draftFolder)
            model.apiClient = browser.currentClient
            self.model = model
        }
        .task(id: model == nil) { await model?.open() }
        // What others change is merged at once, and not only when this draft is saved.
        .onChange(of: model?.original.flatMap { _ in browser.town.replica.business(slug: slug) }) { former, _ in
            if former != nil, let model { Task { await merge(into: model) } }
        }
    }

    private func merge(into model: BusinessEditModel) async {
        let former = model.original
        await model.refresh()
        guard let former, let current = model.original else { return }
        merged += BusinessField.typed.filter { !former.isSame($0, as: current) && !merged.contains($0) }
    }

    private func close(_ end: () -> Void) {
        end()
        dismiss()
    }
}

/// What is edited, and what became of it.
private struct EditHeader: View {
    @Environment(Browser.self) private var browser
    let model: BusinessEditModel

    var body: some View {
        HStack {
            Text("Edit \(model.original?.name ?? model.slug)").bold()
            Spacer()
            Text(state).foregroundStyle(.secondary)
        }
        if let error = model.error { Text(browser.describe(error)).foregroundStyle(.warning) }
        if let name = model.damagedDraft {
            Text("The draft could not be read. It is now in \(browser.draftFolder.path)/\(name).").foregroundStyle(
                .warning)
        }
        if model.draftError != nil {
            Text("The draft cannot be stored in \(browser.draftFolder.path).").foregroundStyle(.warning)
        }
    }

    private var state: String {
        if model.isSaving { return "saving …" }
        if !model.isOpen { return "loading …" }
        if !model.conflicts.isEmpty { return "changed by somebody else" }
        if !model.problems.isEmpty { return "Save: correct what is marked first" }
        if model.changes.isEmpty { return "Save: nothing is changed yet" }
        return model.isRestored ? "draft of an earlier time, kept on this device" : "draft kept on this device"
    }
}

extension BusinessField {
    /// The fields that are edited.
    fileprivate static let typed = allCases.filter { $0 != .hours }

    fileprivate var label: String { self == .email ? "E-mail" : rawValue.capitalized }
}

private struct EditForm: View {
    @Environment(Browser.self) private var browser
    let model: BusinessEditModel
    let merged: [BusinessField]
    let close: (() -> Void) -> Void
    @State private var focus = BusinessField.name
    @State private var saves = 0

    var body: some View {
        List(
            BusinessField.typed,
            selection: Binding(get: { focus.id }, set: { focus = $0.flatMap(BusinessField.init) ?? .name })
        ) { field in
            EditRow(model: model, field: field, isMerged: merged.contains(field)).focused(field == focus)
        }
        Spacer()
        Divider()
        HStack {
            Button("next", key: .tab) { next() }
            Button("save", key: .control("s")) { saves += 1 }.disabled(!model.canSave)
            Button("discard", key: .control("d")) { close(model.cancel) }
            Button(browser.size.isNarrow ? "back" : "back, the draft is kept", key: .escape) { close(model.leave) }
        }
        .onKeyPress(.enter) { next() }
        .task(id: saves) {
            if saves > 0, await model.save() { close(model.leave) }
        }
    }

    /// Moves to the next field; from the last one to the first.
    private func next() {
        let index = BusinessField.typed.firstIndex(of: focus) ?? 0
        focus = BusinessField.typed[(index + 1) % BusinessField.typed.count]
    }
}

/// A field with its problem.
private struct EditRow: View {
    @Environment(Browser.self) private var browser
    let model: BusinessEditModel
    let field: BusinessField
    let isMerged: Bool

    var body: some View {
        let isNarrow = browser.size.isNarrow
        HStack {
            Text(field.label).foregroundStyle(.secondary).frame(width: 12)
            TextField("", text: Bindable(wrappedValue: model).draft[dynamicMember: \.[field]])
            if isMerged, !isNarrow { Text("← changed by somebody else").foregroundStyle(.soon) }
        }
        if isMerged, isNarrow { EditNote(text: "↑ changed by somebody else", role: .soon) }
        if let problem = model.problem(of: field) { EditNote(text: "↑ \(problem)", role: .warning) }
    }
}

private struct EditNote: View {
    @Environment(Browser.self) private var browser
    let text: String
    let role: TextStyle.Role

    var body: some View {
        if browser.size.isNarrow {
            Text(text).foregroundStyle(role)
        } else {
            HStack {
                Text("").frame(width: 12)
                Text(text).foregroundStyle(role)
            }
        }
    }
}

/// The fields that this draft and somebody else have changed: before, theirs and mine.
struct ConflictView: View {
    @Environment(Browser.self) private var browser
    let model: BusinessEditModel
    let close: () -> Void
    @State private var selection: String?

    var body: some View {
        let conflicts = model.conflicts
        let selected = conflicts.first { $0.id == selection } ?? conflicts.first
        Text("Somebody else has changed the same. Choose one value for each field.").foregroundStyle(.soon)
        List(conflicts, selection: $selection.or(conflicts.first?.id)) { conflict in
            Text(conflict.field.rawValue)
            ConflictValue(label: "before", value: conflict.before)
            ConflictValue(label: "theirs", value: conflict.theirs)
            ConflictValue(label: "mine", value: conflict.mine)
        }
        Spacer()
        Divider()
        HStack {
            Button("keep theirs", key: .character("t")) { resolve(selected, .theirs) }
            Button("keep mine", key: .character("m")) { resolve(selected, .mine) }
            Button(browser.size.isNarrow ? "back" : "back, the draft is kept", key: .escape, action: close)
        }
    }

    private func resolve(_ conflict: FieldConflict<BusinessField>?, _ side: ConflictSide) {
        guard let conflict else { return }
        model.resolve(conflict.field, keep: side)
        selection = nil
    }
}

/// One of the three values of a field.
private struct ConflictValue: View {
    let label: String
    let value: String

    var body: some View {
        HStack {
            Text("  \(label)").foregroundStyle(.secondary).frame(width: 10)
            Text(value.isEmpty ? "(empty)" : value)
        }
    }
}
