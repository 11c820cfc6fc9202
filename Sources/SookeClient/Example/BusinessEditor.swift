import SookeClient
import SwiftUI

/// The form for a business. What others change meanwhile is merged; where both changed a field, a person decides.
struct BusinessEditor: View {
    @Environment(SessionViewModel.self) private var session
    @Environment(\.dismiss) private var dismiss
    @State private var model: BusinessEditModel

    init(slug: String) {
        let drafts = URL.applicationSupportDirectory.appending(path: "drafts")
        _model = State(initialValue: BusinessEditModel(slug: slug, drafts: drafts))
    }

    var body: some View {
        Form {
            TextField("Name", text: $model.draft.name)
            if let problem = model.problem(of: .name) { Text(problem).foregroundStyle(.red) }
            TextField("Phone", text: $model.draft.phone)
            if let problem = model.problem(of: .phone) { Text(problem).foregroundStyle(.red) }
            ForEach(model.conflicts) { conflict in
                Section("\(conflict.field.rawValue) was \(conflict.before)") {
                    Button("Keep mine: \(conflict.mine)") { model.resolve(conflict.field, keep: .mine) }
                    Button("Take theirs: \(conflict.theirs)") { model.resolve(conflict.field, keep: .theirs) }
                }
            }
        }
        .toolbar {
            Button("Cancel") {
                model.cancel()
                dismiss()
            }
            Button("Save") { Task { if await model.save() { dismiss() } } }.disabled(!model.canSave)
        }
        .task {
            model.apiClient = session.client
            await model.open()
        }
        .onChange(of: model.isDeleted) { dismiss() }
        .onDisappear { model.leave() }
    }
}
