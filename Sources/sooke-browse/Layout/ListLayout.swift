import ViewTree

/// The rows of a list, around the selected one. A mark at the right shows where they are among all.
struct ListLayout {
    private let rows: [Content]
    private let selected: Int?
    private let lay: (Content, _ width: Int) -> [StyledLine]

    init(_ rows: [Content], selected: Int?, _ lay: @escaping (Content, _ width: Int) -> [StyledLine]) {
        (self.rows, self.selected, self.lay) = (rows, selected, lay)
    }

    func lines(_ width: Int, _ height: Int?) -> [StyledLine] {
        guard let height else { return lines(of: rows.indices, width - 2).all }
        if rows.count <= height {
            let all = lines(of: rows.indices, width - 2).all
            if all.count <= height { return all }
        }
        // Each row has a line at least, so that no others can be seen.
        let chosen = selected ?? 0
        let near = max(0, chosen - height)..<min(rows.count, chosen + height + 1)
        let (all, chosenLines) = lines(of: near, width - 4)
        let middle = (chosenLines.lowerBound + chosenLines.upperBound) / 2
        // Of a row without enough room, its start.
        let start = chosenLines.count < height ? middle - height / 2 : chosenLines.lowerBound
        let first = max(0, min(start, all.count - height))
        return marked(Array(all[first..<min(all.count, first + height)]), chosen, width)
    }

    private func lines(of part: Range<Int>, _ width: Int) -> (all: [StyledLine], chosen: Range<Int>) {
        var all: [StyledLine] = []
        var chosen = 0..<0
        for index in part {
            let (start, isSelected) = (all.count, index == selected)
            let row = lay(rows[index], width)
            for (number, content) in (row.isEmpty ? [StyledLine()] : row).enumerated() {
                let isMarked = isSelected && number == 0
                var line = StyledLine(isMarked ? "▸ " : "  ", TextStyle(role: .accent, isBold: true))
                line.append(isSelected ? content.bold : content)
                all.append(line)
            }
            if isSelected { chosen = start..<all.count }
        }
        return (all, chosen)
    }

    private func marked(_ lines: [StyledLine], _ chosen: Int, _ width: Int) -> [StyledLine] {
        let length = max(1, lines.count * lines.count / max(rows.count, lines.count + 1))
        let start = (lines.count - length) * chosen / max(1, rows.count - 1)
        return lines.enumerated().map { number, line in
            guard start..<start + length ~= number else { return line }
            var line = line
            line.pad(to: width - 1)
            line.append("┃", TextStyle(role: .secondary))
            return line.truncated(to: width)
        }
    }
}
