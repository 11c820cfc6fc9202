import Testing

@testable import Store

@Suite struct AuthorTests {
    @Test(
        arguments: [
            ("local", .local), ("person:3", .person(3)), ("person:", .other("person:")),
            ("person:03", .other("person:03")), ("person:x", .other("person:x")), ("import:3", .other("import:3")),
            ("", .other("")),
        ] as [(String, Author)])
    func anAuthorIsReadAsItIsWritten(text: String, author: Author) {
        #expect(Author(text: text) == author)
        #expect(author.text == text)
    }
}
