/// The size of the terminal, and what there is room for.
struct ScreenSize: Equatable {
    var columns = 80
    var rows = 24

    /// Whether a detail stands beside its list.
    var isWide: Bool { columns >= 100 }
    /// Whether a list needs the lines of what is not necessary.
    var isLow: Bool { rows < 16 }
    /// Whether notes need lines of their own.
    var isNarrow: Bool { columns < 60 }

    /// The rows by which PageUp and PageDown move: a few less than are in view.
    var rowsOfPage: Int { max(1, rows - (isLow ? 5 : 10)) }

    /// The columns of a text in a list of the whole width, beside its marks.
    var text: Int { columns - 4 }
    /// The columns of a text in the list of a pane.
    var paneText: Int { Self.trailingPane(of: columns) - 4 }

    /// The columns of the left one of two panes: most of them, since rows have more columns than details.
    static func leadingPane(of columns: Int) -> Int { columns * 11 / 20 }
    /// The columns of the right one: two are between them.
    static func trailingPane(of columns: Int) -> Int { max(1, columns - leadingPane(of: columns) - 2) }
}
