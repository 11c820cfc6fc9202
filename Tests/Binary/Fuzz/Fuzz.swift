import Bytes
import Glibc

@testable import HTTP

/// One run of libFuzzer, of the target that the variable SOOKE_FUZZ names.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

private let target = getenv("SOOKE_FUZZ").map { String(cString: $0) } == "parser" ? checkConnection : checkJSON

/// Ends the run as a find when a property does not hold. Not `precondition`, whose words a release build leaves out.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
    if !holds { fatalError("property: \(property())") }
}

/// A client's bytes. The first one says how they are cut and how they are answered, the others are sent.
///
/// However that is, the same requests come out and the same statuses go back.
private func checkConnection(_ input: [UInt8]) {
    guard let seed = input.first else { return }
    let text = Array(input.dropFirst())
    let whole = outcome(of: [text[...]])
    var random = SplitMix64(seed: UInt64(seed))
    let cut = outcome(of: pieces(of: text, &random), deferring: random)
    for other in [outcome(of: text.indices.map { text[$0...$0] }), cut] {
        require(other.events == whole.events, "\(other.events) and not \(whole.events)")
        require(other.statuses == whole.statuses, "\(other.statuses) and not \(whole.statuses)")
    }
}

/// What is read of these pieces, and what the client gets.
///
/// - Parameter choices: which answers come later, and in which order; nil for none.
private func outcome(
    of pieces: [ArraySlice<UInt8>], deferring choices: SplitMix64? = nil
) -> (events: [String], statuses: [String]) {
    // Small limits, so that short inputs reach them.
    var limits = HTTPLimits.askingAboutEveryBody
    (limits.target, limits.field, limits.fields, limits.fieldCount) = (64, 96, 192, 6)
    (limits.chunkOverhead, limits.drain, limits.output, limits.pipeline) = (24, 32, 400, 3)
    let connection = ConnectionHarness(limits) { request throws(HTTPError) in
        require(request.path.isAsterisk || request.path.encoded.first == UInt8(ascii: "/"), "a path without a root")
        require(request.target.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "a target with a control")
        if request.target.starts(with: "/no".utf8) { throw .notFound() }
        return 64
    }
    if choices != nil { connection.defers = { $0.target.count.isMultiple(of: 2) } }
    var choices = choices
    for piece in pieces {
        connection.receive(piece)
        if choices?.once(in: 3) == true { answerOne(connection, &choices) }
    }
    while answerOne(connection, &choices) {}
    connection.halfClose()
    // Whether `100 Continue` is sent depends on what has arrived by then.
    let quiet: Set = ["waits", "lingers", "closes", "100"]
    return (connection.events.filter { !quiet.contains($0) }, connection.statuses.filter { !quiet.contains($0) })
}

@discardableResult
private func answerOne(_ connection: ConnectionHarness, _ choices: inout SplitMix64?) -> Bool {
    let unanswered = connection.state.awaitedNumbers
    guard !unanswered.isEmpty else { return false }
    connection.respond(unanswered[choices?.below(unanswered.count) ?? 0], "later")
    return true
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
