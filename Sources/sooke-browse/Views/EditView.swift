import SookeClient
import ViewTree

/// A sheet to edit a business: a draft, and what both sides have changed.
struct EditView: View {
    @Environment(Browser.self) private var browser
    @Environment(\.dismiss) private var dismiss
    @State private var model: BusinessEditModel?
    /// What others changed while the form was open.
    @State private var merged: [BusinessDraft.Field] = []
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
        merged += EditForm.fields.map(\.field).filter { !former.isSame($0, as: current) && !merged.contains($0) }
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

/// The fields of the draft.
private struct EditForm: View {
    let model: BusinessEditModel
    let merged: [BusinessDraft.Field]
    let close: (() -> Void) -> Void
    @State private var focus = 0
    @State private var saves = 0

    static let fields: [(field: BusinessDraft.Field, label: String)] = [
        (.name, "Name"), (.description, "Description"), (.category, "Category"), (.address, "Address"),
        (.phone, "Phone"), (.email, "E-mail"), (.website, "Website"), (.latitude, "Latitude"),
        (.longitude, "Longitude"),
    ]

    var body: some View {
        ForEach(Array(Self.fields.indices), id: \.self) { index in
            let (field, label) = Self.fields[index]
            EditRow(model: model, field: field, label: label, isMerged: merged.contains(field)).focused(index == focus)
        }
        Spacer()
        Divider()
        HStack {
            Button("next", key: .tab) { move(by: 1) }
            Button("save", key: .control("s")) { saves += 1 }.disabled(!model.canSave)
            Button("discard", key: .control("d")) { close(model.cancel) }
            Button("back, the draft is kept", key: .escape) { close(model.leave) }
        }
        .onKeyPress { key in
            switch key {
            case .down, .enter: move(by: 1)
            case .up: move(by: -1)
            default: return .ignored
            }
            return .handled
        }
        .task(id: saves) {
            if saves > 0, await model.save() { close(model.leave) }
        }
    }

    private func move(by step: Int) {
        focus = (focus + step + Self.fields.count) % Self.fields.count
    }
}

/// A field with its problem.
private struct EditRow: View {
    let model: BusinessEditModel
    let field: BusinessDraft.Field
    let label: String
    let isMerged: Bool

    var body: some View {
        HStack {
            Text(label).foregroundStyle(.secondary).frame(width: 12)
            if let path = BusinessDraft.text(field) {
                TextField("", text: Bindable(wrappedValue: model).draft[dynamicMember: path])
            }
            if isMerged { Text("← changed by somebody else").foregroundStyle(.soon) }
        }
        if let problem = model.problem(of: field) {
            HStack {
                Text("").frame(width: 12)
                Text("↑ \(problem)").foregroundStyle(.warning)
            }
        }
    }
}
