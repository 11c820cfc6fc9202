import Platform
import ViewTree

/// The terminal of the process, while the program fills its screen.
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
