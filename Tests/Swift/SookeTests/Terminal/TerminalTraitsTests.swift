import Platform
import Testing

@testable import sooke

@Suite struct TerminalTraitsTests {
    /// Whether it is a terminal, the variables, and whether it can redraw and allows colour.
    @Test(arguments: [
        (true, ["TERM": "xterm"], true, true),
        (true, ["TERM": "xterm", "NO_COLOR": ""], true, true),
        (true, ["TERM": "xterm", "NO_COLOR": "1"], true, false),
        (true, ["TERM": "dumb"], false, false),
        (true, [:], false, false),
        (false, ["TERM": "xterm"], false, false),
    ])
    func heeds(isTerminal: Bool, variables: [String: String], canRedraw: Bool, allowsColor: Bool) {
        let traits = TerminalTraits(isTerminal: isTerminal, Environment(variables))
        #expect(traits.canRedraw == canRedraw)
        #expect(traits.allowsColor == allowsColor)
    }
}
