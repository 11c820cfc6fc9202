import Testing

@testable import SookeModel

@Suite struct SearchQueryTests {
    private func shown(_ term: SearchQuery.Term) -> String {
        switch term {
        case .word(let word): word.word.text
        case .compound(let whole, let parts): "\(whole.word.text)=\(parts.map(\.word.text).joined(separator: "+"))"
        case .phrase(let words): "\"\(words.map(\.text).joined(separator: " "))\""
        }
    }

    @Test(arguments: [
        ("Slack Tide", ["slack", "tide"]), ("  Crêpes,  CAFÉ ", ["crepes", "cafe"]), ("tide tide TIDE", ["tide"]),
        ("\"slack tide\" pub", ["\"slack tide\"", "pub"]), ("pub \"slack tide", ["pub", "\"slack tide\""]),
        ("“salt & cedar”", ["\"salt and cedar\""]), ("\"\" pub", ["pub"]), ("pub\"", ["pub"]),
        ("\"tide\"", ["\"tide\""]),
        ("joe's", ["joes"]), ("co-op", ["coop=co+op"]), ("the co-op shop", ["the", "coop=co+op", "shop"]),
        ("T'Sou-ke", ["tsouke=tsou+ke"]), ("\"co-op shop\"", ["\"co op shop\""]),
        ("fish & chips", ["fish", "and", "chips"]), ("A&W", ["aw=a+and+w"]),
        ("(250) 555-0101", ["250", "5550101=555+0101"]),
    ])
    func isReadAsTerms(_ text: String, _ terms: [String]) throws {
        #expect(try SearchQuery(text).terms.map(shown) == terms)
    }

    @Test(arguments: [
        ("?!", "needs a letter or a digit"), ("\"\"", "needs a letter or a digit"), ("🥐", "needs a letter or a digit"),
        ("a b c d e f g h i j k", "has 11 words, at most 10 are allowed"),
        ("\"a b c d e f g h i j k\"", "has 11 words, at most 10 are allowed"),
        (String(repeating: "é", count: 101), "is 202 bytes long, at most 200 are allowed"),
    ])
    func isRefused(_ text: String, _ message: String) {
        #expect(throws: SearchQueryError(message)) { try SearchQuery(text) }
    }
}
