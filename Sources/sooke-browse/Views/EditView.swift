import Foundation
import SookeClient
import ViewTree

struct EditView: View {
    @Environment(Browser.self) private var browser
    @Environment(\.dismiss) private var dismiss
    @State private var model: BusinessEditModel
    @State private var merged: [BusinessField] = []

    init(slug: String, drafts: URL) {
        _model = State(wrappedValue: BusinessEditModel(slug: slug, drafts: drafts))
    }

    var body: some View {
        VStack {
            HStack {
                Text("Edit \(model.original?.name ?? model.slug)").bold()
                Spacer()
                Text(state).foregroundStyle(.secondary)
            }
            ForEach(warnings, id: \.self) { Text($0).foregroundStyle(.warning) }
            Divider()
            if !model.isDeleted, !model.conflicts.isEmpty {
                ConflictView(model: model) { close(model.leave) }
            } else if !model.isDeleted, model.isOpen {
                EditForm(model: model, merged: merged, close: close)
            } else {
                Spacer()
                Divider()
                HStack { Button("back", key: .escape) { close(model.isDeleted ? model.cancel : model.leave) } }
            }
        }
        .task {
            model.apiClient = browser.session.client
            await model.open()
        }
        // What others change is merged at once, and not only when this draft is saved.
        .onChange(of: browser.town.replica.business(slug: model.slug)) { _, _ in
            if model.isOpen { Task { await merge() } }
        }
    }

    private func merge() async {
        let former = model.original
        await model.refresh()
        guard let former, let current = model.original else { return }
        merged += BusinessField.typed.filter { !former.isSame($0, as: current) && !merged.contains($0) }
    }

    private func close(_ end: () -> Void) {
        end()
        dismiss()
    }

    private var warnings: [String] {
        let folder = browser.folders.drafts.path
        return [
            model.isDeleted ? "Somebody has deleted this business. Nothing can be saved." : nil,
            model.error.map(browser.describe),
            model.damagedDraft.map { "The draft could not be read. It is now in \(folder)/\($0)." },
            model.draftError.map { _ in "The draft cannot be stored in \(folder)." },
        ].compactMap(\.self)
    }

    private var state: String {
        if model.isSaving { return "saving …" }
        if model.isDeleted { return "deleted" }
        if !model.isOpen { return "loading …" }
        if !model.conflicts.isEmpty { return "changed by somebody else" }
        if !model.problems.isEmpty { return "Save: correct what is marked first" }
        if model.changes.isEmpty { return "Save: nothing is changed yet" }
        return model.isRestored ? "draft of an earlier time, kept on this device" : "draft kept on this device"
    }
}

extension BusinessField {
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
            HStack {
                Text(field.label).foregroundStyle(.secondary).frame(width: 12)
                TextField("", text: Bindable(wrappedValue: model).draft[dynamicMember: \.[field]])
                    .focused(field == focus)
            }
            if merged.contains(field) { Text("↑ changed by somebody else").foregroundStyle(.soon) }
            if let problem = model.problem(of: field) { Text("↑ \(problem)").foregroundStyle(.warning) }
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

    private func next() {
        let index = BusinessField.typed.firstIndex(of: focus) ?? 0
        focus = BusinessField.typed[(index + 1) % BusinessField.typed.count]
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
        List(conflicts, selection: Binding(get: { selected?.id }, set: { selection = $0 })) { conflict in
            Text(conflict.field.rawValue)
            let values = [("before", conflict.before), ("theirs", conflict.theirs), ("mine", conflict.mine)]
            ForEach(values, id: \.0) { label, value in
                HStack {
                    Text("  \(label)").foregroundStyle(.secondary).frame(width: 10)
                    Text(value.isEmpty ? "(empty)" : value)
                }
            }
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
