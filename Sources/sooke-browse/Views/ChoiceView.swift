import ViewTree

/// A sheet to choose one of several records, or all.
struct ChoiceView<Choice: Identifiable>: View {
    let title: String
    let all: String
    let choices: [Choice]
    let selected: Choice.ID?
    let name: KeyPath<Choice, String>
    let choose: (Choice?) -> Void

    /// A row; the first one stands for all.
    private struct Row: Identifiable {
        let id: Choice.ID?
        let name: String
    }

    @State private var selection: Choice.ID??
    @Environment(\.dismiss) private var dismiss

    init(
        title: String, all: String, choices: [Choice], selected: Choice.ID?, name: KeyPath<Choice, String>,
        choose: @escaping (Choice?) -> Void
    ) {
        (self.title, self.all, self.choices, self.selected) = (title, all, choices, selected)
        (self.name, self.choose) = (name, choose)
    }

    var body: some View {
        let rows = [Row(id: nil, name: all)] + choices.map { Row(id: $0.id, name: $0[keyPath: name]) }
        let current = Binding<Choice.ID??> {
            selection ?? .some(selected)
        } set: {
            selection = $0
        }
        VStack {
            Text(title).bold()
            Divider()
            List(rows, selection: current) { row in HStack { Text(row.name) } }
            Spacer()
            Divider()
            HStack {
                Text("↑↓ move")
                Button("choose", key: .enter) {
                    let id = current.wrappedValue ?? nil
                    choose(choices.first { $0.id == id })
                    dismiss()
                }
                Button("back", key: .escape) { dismiss() }
            }
        }
    }
}
