import TestSupport

extension SplitMix64 {
    /// A text that is awkward in a table: separators, quotes, formulas, line breaks, letters beyond ASCII.
    mutating func text(upTo length: Int) -> String {
        let alphabet = [
            "a", "Z", "0", " ", "\"", "'", ",", ";", "\t", "\n", "\r", "\r\n", "=", "+", "-", "@", "é", "🌊", "本",
        ]
        return (0..<Int.random(in: 0...length, using: &self))
            .map { _ in pick(alphabet) }
            .joined()
    }
}
