import Bytes

@testable import HTTP

/// A client's bytes. The first one says how they are cut and how they are answered, the others are sent.
///
/// However that is, the same requests come out and the same answers go back; each request that is served takes exactly
/// the bytes that a second, slower reading of the standard gives it.
func checkConnection(_ input: [UInt8]) {
    guard let seed = input.first else { return }
    let text = Array(input.dropFirst())
    let whole = ConnectionRun.of([text[...]], checksMessages: true)
    let single = ConnectionRun.of(text.indices.map { text[$0...$0] }, largestSend: 7)
    var random = SplitMix64(seed: UInt64(seed))
    let cut = ConnectionRun.of(pieces(of: text, &random), deferring: random)
    for (run, way) in [(single, "byte by byte"), (cut, "cut and answered later")] {
        require(
            run.events == whole.events,
            "\(way) gives \(words(of: run.events)) and not \(words(of: whole.events))")
        require(run.output == whole.output, "\(way) sends \(words(of: [run.output]))")
    }
}

private func pieces(of text: [UInt8], _ random: inout SplitMix64) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = text[...]
    while !rest.isEmpty {
        let piece = rest.prefix(1 + random.below(random.once(in: 4) ? 64 : 6))
        pieces.append(piece)
        rest = rest.dropFirst(piece.count)
    }
    return pieces
}

private func words(of events: [[UInt8]]) -> [String] {
    events.map { String(decoding: $0, as: UTF8.self) }
}
