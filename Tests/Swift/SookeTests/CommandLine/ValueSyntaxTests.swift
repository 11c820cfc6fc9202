import Testing

@testable import sooke

@Suite struct ValueSyntaxTests {
    @Test(arguments: [
        ("1d", 86_400), ("36h", 129_600), ("90m", 5400), ("3653d", 315_619_200), ("007m", 420), ("1", nil), ("d", nil),
        ("", nil), ("0d", nil), ("-1d", nil), ("1.5h", nil), ("1 d", nil), ("1s", nil), ("1D", nil), ("3654d", nil),
        ("99999999999999999999m", nil), ("9223372036854775807d", nil), ("１d", nil),
    ])
    func anAgeHasAUnit(text: String, seconds: Int?) {
        #expect(ValueSyntax.age.read(text) == seconds.map { .seconds($0) })
    }
}
