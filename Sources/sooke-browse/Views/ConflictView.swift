import SookeClient
import ViewTree

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
