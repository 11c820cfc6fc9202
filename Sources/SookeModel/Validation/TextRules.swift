/// What the text fields of a record may hold. Lengths are in Unicode scalars.
enum TextRules {
    static let name = 1...500
    static let slug = 1...600
    static let description = 0...10_000
    static let address = 1...1_000
    static let phone = 0...50
    static let email = 0...254
    static let website = 0...2_000

    /// Notes what is wrong with a text that must be there.
    static func check(
        _ text: String, _ field: String, length: ClosedRange<Int>, _ problems: inout FieldProblems
    ) {
        let count = text.unicodeScalars.count
        if length.lowerBound > 0, text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
            problems.add(field, "must not be empty")
        } else if count > length.upperBound {
            problems.add(field, "is \(count) characters long, at most \(length.upperBound) are allowed")
        } else if text.utf8.contains(0) {
            problems.add(field, "must not hold a NUL character")
        }
    }

    /// Notes what is wrong with a text that may be absent.
    static func check(
        _ text: String?, _ field: String, length: ClosedRange<Int>, _ problems: inout FieldProblems
    ) {
        if let text { check(text, field, length: length, &problems) }
    }

    /// Notes what is wrong with a slug. `.` and `..` mean other places in an address (RFC 3986, section 5.2.4), so a
    /// record of that name could not be reached, nor changed or removed.
    static func checkSlug(_ value: Slug, _ field: String, _ problems: inout FieldProblems) {
        check(value.text, field, length: slug, &problems)
        problems.require(value.text != "." && value.text != "..", field, "must not be nothing but dots")
    }

    /// Notes what is wrong with the slugs that a record had before.
    static func checkFormerSlugs(_ slugs: [Slug], _ problems: inout FieldProblems) {
        for (index, former) in slugs.enumerated() {
            checkSlug(former, "former_slugs[\(index)]", &problems)
        }
    }

    /// Notes when a text is not shaped like an e-mail address. The empty text stands for none.
    static func checkEmail(_ text: String?, _ field: String, _ problems: inout FieldProblems) {
        check(text, field, length: email, &problems)
        guard let text, !text.isEmpty else { return }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isShaped =
            parts.count == 2 && !parts[0].isEmpty && isHost(parts[1]) && !text.utf8.contains(where: isSpaceOrControl)
        problems.require(isShaped, field, "must be an e-mail address like name@example.org")
    }

    /// Notes when a text is not an absolute `http` or `https` URL. The empty text stands for none.
    static func checkWebsite(_ text: String?, _ field: String, _ problems: inout FieldProblems) {
        check(text, field, length: website, &problems)
        guard let text, !text.isEmpty else { return }
        let rest = ["https://", "http://"].first { text.lowercased().hasPrefix($0) }.map { text.dropFirst($0.count) }
        let authority = rest?.prefix { !"/?#".contains($0) }
        let isShaped = authority.map { isHost($0) } == true && !text.utf8.contains(where: isSpaceOrControl)
        problems.require(isShaped, field, "must be a web address like https://example.org")
    }

    private static func isHost(_ text: Substring) -> Bool {
        !text.isEmpty && !text.hasPrefix(".") && !text.hasSuffix(".") && !text.contains("..")
    }

    private static func isSpaceOrControl(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F
    }
}
