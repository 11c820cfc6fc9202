import Platform
import ViewTree

@MainActor final class Terminal {
    enum Event: Sendable {
        case key(Key)
        case signal(Signals.ScreenEvent)
    }

    private let input: FileDescriptor
    private let output: FileDescriptor
    private let settings: TerminalSettings
    private var painter: ScreenPainter
    private var screen = Screen()

    /// Takes the screen; nil without a terminal.
    init?(hasColors: Bool, input: FileDescriptor = .standardInput, output: FileDescriptor = .standardOutput) {
        guard output.terminalSize != nil, let settings = input.makeRaw() else { return nil }
        (self.input, self.output, self.settings) = (input, output, settings)
        painter = ScreenPainter(hasColors: hasColors)
        write(ScreenPainter.enter)
    }

    var size: ScreenSize {
        output.terminalSize.map { ScreenSize(columns: $0.columns, rows: $0.rows) } ?? ScreenSize()
    }

    func show(_ screen: Screen) {
        self.screen = screen
        guard let size = output.terminalSize else { return }
        write(painter.paint(ScreenLayout(screen, columns: size.columns, rows: size.rows).lines))
    }

    func redraw() {
        _ = input.makeRaw()
        painter.forget()
        write(ScreenPainter.enter)
        show(screen)
    }

    func leave() {
        Self.restore(output, settings)
    }

    func suspend() {
        leave()
        Signals.suspend()
    }

    nonisolated static func restore(_ output: FileDescriptor, _ settings: TerminalSettings) {
        try? output.write(Array(ScreenPainter.leave.utf8))
        settings.restore()
    }

    func events(_ signals: Signals) throws(SystemError) -> AsyncStream<Event> {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        try signals.forEach { continuation.yield(.signal($0)) }
        try Thread.start(name: "keys") { [input] in
            var decoder = KeyDecoder()
            while let bytes = try? input.read(upTo: 256), !bytes.isEmpty {
                for key in decoder.keys(bytes) { continuation.yield(.key(key)) }
                if decoder.isWaiting, !Self.hasMore(input) {
                    for key in decoder.flush() { continuation.yield(.key(key)) }
                }
            }
            continuation.finish()
        }
        return events
    }

    /// If no more arrives at once, an escape character was the key.
    private nonisolated static func hasMore(_ input: FileDescriptor) -> Bool {
        (try? input.wait(for: .readable, milliseconds: 50))?.isEmpty == false
    }

    private func write(_ text: String) {
        // A terminal that is gone ends the input, too.
        try? output.write(Array(text.utf8))
    }
}

struct ScreenPainter {
    /// Takes the whole screen, and shows what was there before at the end.
    static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
    static let leave = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    private let hasColors: Bool
    private var shown: [StyledLine] = []

    init(hasColors: Bool) {
        self.hasColors = hasColors
    }

    mutating func forget() {
        shown = []
    }

    mutating func paint(_ lines: [StyledLine]) -> String {
        var output = "\u{1B}[?25l"
        if shown.count != lines.count { output += "\u{1B}[0m\u{1B}[2J" }
        for (row, line) in lines.enumerated() where shown.count != lines.count || shown[row] != line {
            // Cleared first: after its last column, some terminals would clear that.
            output += "\u{1B}[\(row + 1);1H\u{1B}[K\(encode(line))"
        }
        shown = lines
        if let row = lines.firstIndex(where: { $0.cursor != nil }), let column = lines[row].cursor {
            output += "\u{1B}[\(row + 1);\(column + 1)H\u{1B}[?25h"
        }
        return output
    }

    private func encode(_ line: StyledLine) -> String {
        var output = ""
        for piece in line.pieces {
            let codes = codes(piece.style)
            output += codes.isEmpty ? piece.text : "\u{1B}[\(codes)m\(piece.text)\u{1B}[0m"
        }
        return output
    }

    /// The parameters of Select Graphic Rendition, ECMA-48 8.3.117.
    private func codes(_ style: TextStyle) -> String {
        let color = hasColors || style.role == .secondary ? Self.colors[style.role] : nil
        return [style.isBold ? "1" : nil, color].compactMap(\.self).joined(separator: ";")
    }

    private static let colors: [TextStyle.Role: String] = [
        .secondary: "2", .accent: "36", .open: "32", .soon: "33", .warning: "31",
    ]
}
