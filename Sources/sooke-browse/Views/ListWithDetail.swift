import ViewTree

/// A list with the selected record: its detail beside it, where there is room, or else a few lines of it below.
struct ListWithDetail<Rows: View, Preview: View, Detail: View>: View {
    @Environment(Browser.self) private var browser
    private let rows: Rows
    private let preview: Preview
    private let detail: Detail

    init(@ViewBuilder rows: () -> Rows, @ViewBuilder preview: () -> Preview, @ViewBuilder detail: () -> Detail) {
        (self.rows, self.preview, self.detail) = (rows(), preview(), detail())
    }

    var body: some View {
        if browser.size.isWide {
            Panes {
                rows
            } trailing: {
                detail
            }
        } else {
            rows
            Spacer()
            if !browser.size.isLow { preview }
        }
    }
}
