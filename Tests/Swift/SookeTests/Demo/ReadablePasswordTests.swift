import Service
import Testing

@testable import sooke

@Suite struct ReadablePasswordTests {
    @Test(
        arguments: [
            ([0, 0], "baba"), ([0, 1, 2, 3], "babi-bobu"), ([63, 255], "zuzu"), ([4, 8, 12, 16], "dafa-gaha"), ([], ""),
        ] as [([UInt8], String)])
    func writesSyllables(bytes: [UInt8], text: String) {
        #expect(ReadablePassword.text(of: bytes) == text)
    }

    @Test func everyOneIsAllowedAndNew() throws {
        let email = "ada@sooke.example"
        let made = try (0..<200).map { _ in try ReadablePassword.make(for: email) }
        #expect(Set(made).count == 200)
        #expect(made.allSatisfy { PasswordPolicy.problem(with: Password($0), knowing: [email]) == nil })
        #expect(made.allSatisfy { $0.count == 24 })
    }
}
