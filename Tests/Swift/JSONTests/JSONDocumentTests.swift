import JSON
import TestSupport
import Testing

/// Whole documents: random ones are read back, malformed ones end in an error.
@Suite struct JSONDocumentTests {
    @Test func randomDocumentsComeBack() throws {
        var random = SplitMix64(seed: 20_261_121)
        for _ in 0..<Cases.count(300, of: 2_000) {
            let tree = Self.tree(depth: 5, using: &random)
            let text = tree.text
            #expect(try Tree.read(Array(text.utf8)) == tree)
            let spaced = Self.spaced(text, using: &random)
            #expect(try Tree.read(Array(spaced.utf8)) == tree)
            try Tree.skip(Array(spaced.utf8))
        }
    }

    static let sample = Array(
        (#"{"id":12,"n\u0061me":"Zed's é\n\ud83d\ude00 café","at":[48.3741,-1.5e-3, 0],"open":true,"#
            + #" "hours":[{"day":0,"from":"07:00:00","closed":false}],"x":null,"id2":{}}"#).utf8)

    @Test func everyTruncationIsRefused() throws {
        _ = try Tree.read(Self.sample)
        for length in 0..<Self.sample.count {
            let cut = Array(Self.sample[..<length])
            let error = failure { () throws(JSONError) in _ = try Tree.read(cut) }
            #expect(error != nil)
            #expect(failure { () throws(JSONError) in try Tree.skip(cut) } == error)
        }
    }

    /// Any byte in any place: reading and skipping agree, and what is accepted can be written and read again.
    @Test func everyMutationIsReadOrRefused() {
        var refused = 0
        let places = Cases.sample(Self.sample.indices, every: 5)
        for place in places {
            for byte in UInt8.min...UInt8.max {
                var bytes = Self.sample
                bytes[place] = byte
                let skipped = failure { () throws(JSONError) in try Tree.skip(bytes) }
                do throws(JSONError) {
                    let tree = try Tree.read(bytes)
                    if skipped != nil || (try? Tree.read(Array(tree.text.utf8)))?.text != tree.text {
                        Issue.record("byte \(byte) at \(place): read and skipped differ")
                    }
                } catch {
                    refused += 1
                    // A number can be sound and yet fit neither an Int nor a finite Double.
                    if skipped != error, !error.message.contains("beyond") {
                        Issue.record("byte \(byte) at \(place): \(error) but skipped: \(String(describing: skipped))")
                    }
                }
            }
        }
        #expect(refused > places.count * 100, "most mutations break the document")
    }

    // MARK: Random documents

    private static func tree(depth: Int, using random: inout SplitMix64) -> Tree {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .int(Int(truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random)))
        case 3: return .double(double(using: &random))
        case 4, 5: return .string(string(using: &random))
        case 6:
            let count = Int.random(in: 0...6, using: &random)
            return .array((0..<count).map { _ in tree(depth: depth - 1, using: &random) })
        default:
            var keys: [[UInt8]: String] = [:]
            for _ in 0..<Int.random(in: 0...24, using: &random) {
                let key = string(using: &random)
                keys[Array(key.utf8)] = key
            }
            let sorted = keys.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            return .object(sorted.map { .init(key: $0.value, value: tree(depth: depth - 2, using: &random)) })
        }
    }

    /// A double that is no integer, since those come back as such.
    private static func double(using random: inout SplitMix64) -> Double {
        while true {
            let value =
                Bool.random(using: &random)
                ? Double(bitPattern: random.next()) : Double(Int.random(in: -999_999...999_999, using: &random)) / 1_000
            if value.isFinite, value.description.contains(where: { "e.".contains($0) }),
                !value.description.hasSuffix(".0")
            {
                return value
            }
        }
    }

    private static func string(using random: inout SplitMix64) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7F, 0x20...0x7F, 0...0x1F, 0x80...0x7FF, 0x800...0xD7FF, 0x1_0000...0x10_FFFF,
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    /// The same document with white space wherever it may stand.
    private static func spaced(_ text: String, using random: inout SplitMix64) -> String {
        var result = String.UnicodeScalarView()
        var isInString = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            let isSign = !isInString && "{}[]:,".unicodeScalars.contains(scalar)
            if isSign { result += space(using: &random) }
            result.append(scalar)
            if isSign { result += space(using: &random) }
            if scalar == "\"", !isEscaped { isInString.toggle() }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return String(result)
    }

    private static func space(using random: inout SplitMix64) -> String.UnicodeScalarView {
        let kinds = ["", "", " ", "\n", "\r\n", "\t", "\n        ", "            "]
        return kinds[Int.random(in: 0..<kinds.count, using: &random)].unicodeScalars
    }
}
