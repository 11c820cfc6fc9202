import Testing

@testable import Service

/// Hashes of passwords, against published vectors.
@Suite struct PasswordHashTests {
    /// The first from libxcrypt's tests; then two that yescrypt-go and John the Ripper have; then those of yescrypt's
    /// TESTS-OK with all lengths of salt and both flavours; the last two by libxcrypt 4.4.33 through Python's `crypt`.
    @Test(
        arguments: [
            ("pleaseletmein", "$y$jD5.7$LdJMENpBABJJ3hIHjB1Bi.$HboGM6qPrsK.StKYGt6KErmUYtioHreJd98oIugoNB6"),
            ("openwall", "$y$j9T$AAt9R641xPvCI9nXw1HHW/$cuQRBMN3N/f8IcmVN.4YrZ1bHMOiLOoz9/XQMKV/v0A"),
            ("pleaseletmein", "$y$j9T$e8R9q85ZuzUkArEUurdtS.$esON.7y6H.u3UCPVCpbRFueRpAut2n2cMf1EhpjbuiC"),
            ("pleaseletmein", "$y$j91.5$LdJMENpBABJJ3hIH$ebKnn23URD5vyLgF9cP2EvVosrUXf7UErGRV0KmC6e6"),
            ("pleaseletmein", "$y$j80$LdJMENpBABJJ3h2$ysXVVJwuaVlI1BWoEKt/Bz3WNDDmdOWz/8KTQaHL1cC"),
            ("pleaseletmein", "$y$/7/.4$LdJMENpBABJJ3/$lXHleh7bIZMGNtJVxGVrsIWkEIXfBedlfPui/PITflC"),
            ("pleaseletmein", "$y$/6.$LdJMENpBABJJ$zQITmYSih5.CTY47x0IuE4wl.b3HzYGKKCSggakaQ22"),
            ("pleaseletmein", "$y$j4/$LdJMENpBA/$tHlkpTQ8V/eEnTVau1uW36T97LIXlfPrEzdeV5SE5K7"),
            ("pleaseletmein", "$y$/2/$LdJMEN3$RRorHhfsw1/P/WR6Aurg4U72e9Q7qt9vFPURdyfiqK8"),
            ("pleaseletmein", "$y$j0/$LdJM$k7BXzSDuoGHW56SY3HxROCiA0gWRscZe2aA0q5oHPM0"),
            ("pleaseletmein", "$y$///$L/$Rrrkp6OVljrIk0kcwkCDhAiHJiSthh3cKeIGHUW7Z0C"),
            (
                "na\u{EF}ve caf\u{E9} \u{6771}\u{4EAC}",
                "$y$j75$LdJMENpBABJJ3hIHjB1Bi.$DqhR33z79/sSrsv0axR519SD4yz13DlME4w5idvlwOC"
            ),
            (
                String(repeating: "x", count: 511),
                "$y$j75$LdJMENpBABJJ3hIHjB1Bi.$TB8arKqiCAdfUUbjP1ArSvZ2zNUSvCvr96rBB9ocOS1"
            ),
        ])
    func published(password: String, stored: String) throws {
        let hash = try PasswordHash(stored: stored)
        #expect(hash.stored == stored)
        #expect(try hash.verify(Password(password)))
        #expect(try !hash.verify(Password(password.dropLast() + "!")))
    }

    @Test func everyHashHasItsOwnSalt() throws {
        let hashes = try (0..<20).map { _ in try PasswordHash.make(Password("the same"), cost: .lowest).stored }
        #expect(Set(hashes.map { $0.split(separator: "$")[2] }).count == hashes.count)
        #expect(Set(hashes).count == hashes.count)
    }

    @Test(arguments: [(1, "$y$j75$"), (3, "$y$j7T$"), (5, "$y$j9T$"), (6, "$y$jAT$")])
    func theCostStandsInTheHash(level: Int, beginning: String) throws {
        let hash = try PasswordHash.make(Password("wet gravel under"), cost: #require(PasswordCost(level: level)))
        #expect(hash.stored.hasPrefix(beginning))
        #expect(hash.stored.split(separator: "$").map(\.count).suffix(2) == [22, 43], "128 bits and 256 bits")
        #expect(try PasswordHash(stored: hash.stored) == hash)
    }

    @Test(
        arguments: [
            ("empty", ""), ("a NUL", "wet gravel\0under"), ("512 bytes", String(repeating: "x", count: 512)),
            ("511 characters of 1,022 bytes", String(repeating: "\u{E9}", count: 511)),
        ])
    func unusablePasswords(name: String, text: String) throws {
        let hash = try PasswordHash.make(Password("wet gravel under"), cost: .lowest)
        #expect(throws: PasswordHashError.unusablePassword) { try PasswordHash.make(Password(text), cost: .lowest) }
        #expect(throws: PasswordHashError.unusablePassword) { try hash.verify(Password(text)) }
    }

    static let digest = "cuQRBMN3N/f8IcmVN.4YrZ1bHMOiLOoz9/XQMKV/v0A"

    @Test(
        arguments: [
            ("nothing", ""), ("no hash", "password"), ("an error of crypt", "*0"),
            ("a setting without a digest", "$y$j9T$AAt9R641xPvCI9nXw1HHW/"),
            ("an empty digest", "$y$j9T$AAt9R641xPvCI9nXw1HHW/$"),
            ("a short digest", "$y$j9T$AAt9R641xPvCI9nXw1HHW/$" + digest.dropLast()),
            ("a long digest", "$y$j9T$AAt9R641xPvCI9nXw1HHW/$" + digest + "A"),
            ("a part too many", "$y$j9T$AAt9R641xPvCI9nXw1HHW/$" + digest + "$"),
            ("no parameters", "$y$$AAt9R641xPvCI9nXw1HHW/$" + digest),
            ("a byte outside the alphabet", "$y$j9T$AAt9R641xPvCI9nXw1HHW:$" + digest),
            ("a NUL", "$y$j9T$AAt9R641xPvCI9nXw1HHW\0$" + digest),
            ("an older method", "$6$saltstring$" + String(repeating: "a", count: 86)),
            ("the oldest method", "abJnggxhB/yWI"),
            ("very long", "$y$j9T$" + String(repeating: "A", count: 1_000) + "$" + digest),
        ])
    func malformedHashes(name: String, stored: String) {
        #expect(throws: PasswordHashError.malformedHash, "\(name)") { try PasswordHash(stored: stored) }
    }

    /// Parameters that yescrypt itself refuses are an error, not a wrong password and not a crash.
    @Test(arguments: ["$y$zzzzzzzz$AAt9R641xPvCI9nXw1HHW/$", "$y$j$AAt9R641xPvCI9nXw1HHW/$"])
    func impossibleParameters(beginning: String) throws {
        let hash = try PasswordHash(stored: beginning + Self.digest)
        #expect(throws: PasswordHashError.self) { try hash.verify(Password("openwall")) }
    }
}
