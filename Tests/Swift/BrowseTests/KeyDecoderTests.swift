import Testing
import ViewTree

@testable import sooke_browse

@Suite struct KeyDecoderTests {
    @Test(
        arguments: [
            ("ab", [.character("a"), .character("b")]), ("é日👍", [.character("é"), .character("日"), .character("👍")]),
            ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
            ("\u{3}", [.control("c")]), ("\u{13}", [.control("s")]), ("\u{1F}", []),
            ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]), ("\u{1B}[1;5C", [.right]), ("\u{1B}[D", [.left]),
            ("\u{1B}[5~x", [.pageUp, .character("x")]), ("\u{1B}[6;5~", [.pageDown]),
            ("\u{1B}[H\u{1B}OF", [.home, .end]),
            ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end]), ("\u{1B}[200~x", [.character("x")]),
            ("\u{1B}x", [.escape, .character("x")]), ("\u{1B}", [.escape]), ("\u{1B}[", [.escape]),
        ] as [(String, [Key])])
    func keys(bytes: String, keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.keys(Array(bytes.utf8)) + decoder.flush() == keys)
        // The same in single bytes.
        var slow = KeyDecoder()
        #expect(bytes.utf8.flatMap { slow.keys([$0]) } + slow.flush() == keys)
    }

    @Test func wrongBytesAreIgnored() {
        var decoder = KeyDecoder()
        #expect(decoder.keys([0xFF, 0xC3, 0x41, 0x80] + Array("b".utf8)) == [.character("A"), .character("b")])
    }

    @Test func anEndlessSequenceIsDropped() {
        var decoder = KeyDecoder()
        #expect(decoder.keys(Array("\u{1B}[".utf8) + Array(repeating: 0x30, count: 40)).isEmpty)
        #expect(!decoder.isWaiting)
    }
}
