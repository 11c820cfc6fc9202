import JSON
import Testing

/// The exact output of the writer.
@Suite struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func writesARecord() {
        let record = text { writer in
            writer.beginObject()
            writer.member("id", 7)
            writer.member("name", "Zed's \"Diner\"")
            writer.member("latitude", 48.3741)
            writer.member("open", true)
            writer.member("phone", nil as String?)
            writer.member("email", "a@b.example" as String?)
            writer.member("owner", nil as Int?)
            writer.member("rank", -3 as Int?)
            writer.member("height", nil as Double?)
            writer.member("depth", 0.5 as Double?)
            writer.key("hours")
            writer.beginArray()
            writer.beginObject()
            writer.endObject()
            writer.beginArray()
            writer.endArray()
            writer.null()
            writer.raw(Array("{\"raw\":1}".utf8))
            writer.bool(false)
            writer.endArray()
            writer.key("caf" + "é\n")
            writer.string("")
            writer.endObject()
        }
        #expect(
            record == #"{"id":7,"name":"Zed's \"Diner\"","latitude":48.3741,"open":true,"phone":null,"#
                + #""email":"a@b.example","owner":null,"rank":-3,"height":null,"depth":0.5,"#
                + #""hours":[{},[],null,{"raw":1},false],"café\n":""}"#)
    }

    @Test func putsLineBreaksBetweenValues() {
        let broken = text { writer in
            writer.beginObject()
            writer.breakLine()
            writer.key("a")
            writer.beginArray()
            writer.breakLine()
            writer.int(1)
            writer.breakLine()
            writer.int(2)
            writer.breakLine()
            writer.endArray()
            writer.breakLine()
            writer.key("b")
            writer.breakLine()
            writer.null()
            writer.int(3, under: "c")
            writer.endObject()
            writer.breakLine()
            writer.beginArray()
            writer.endArray()
            writer.breakLine()
        }
        #expect(broken == "{\n\"a\":[\n1,\n2\n],\n\"b\":\nnull,\"c\":3}\n[]\n")
    }

    @Test(arguments: [
        ("", #""""#), ("a", #""a""#), ("\"", #""\"""#), ("\\", #""\\""#), ("/", #""/""#),
        ("\u{08}\u{0C}\n\r\t", #""\b\f\n\r\t""#),
        ("\0\u{01}\u{1B}\u{1F}", #""\u0000\u0001\u001b\u001f""#), ("\u{7F}é\u{2028}😀", "\"\u{7F}é\u{2028}😀\""),
        ("Robert\"); DROP TABLE", #""Robert\"); DROP TABLE""#), ("<b>&'</b>", #""<b>&'</b>""#),
    ])
    func writesString(value: String, json: String) {
        var bytes: [UInt8] = []
        bytes.append(json: value)
        #expect(bytes == Array(json.utf8))
    }

    @Test func everyScalarAtEveryPlaceComesBack() throws {
        for scalar in (0..<0x100 as Range<UInt32>).compactMap(Unicode.Scalar.init) {
            for place in 0...10 {
                let value = String(repeating: "x", count: place) + String(Character(scalar)) + "tail"
                var bytes: [UInt8] = []
                bytes.append(json: value)
                let mustBeEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
                #expect((bytes.count > value.utf8.count + 2) == mustBeEscaped)
                #expect(try Tree.read(bytes) == .string(value))
            }
        }
    }

    @Test(arguments: [
        (48.0, "48"), (0.0, "0"), (-0.0, "-0"), (-1.0, "-1"), (48.3741, "48.3741"), (-123.7262, "-123.7262"),
        (0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"), (1e15, "1000000000000000"), (1e16, "1e+16"),
        (9007199254740992, "9007199254740992"),
        (1e21, "1e+21"), (1e-4, "0.0001"), (1e-5, "1e-05"), (1.5e-7, "1.5e-07"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (Double.leastNonzeroMagnitude, "5e-324"), (100.0, "100"), (0.5, "0.5"), (10.0, "10"),
    ])
    func writesDouble(value: Double, json: String) throws {
        var bytes: [UInt8] = []
        bytes.append(json: value)
        #expect(String(decoding: bytes, as: UTF8.self) == json)
        try Tree.skip(bytes)
    }

    @Test(arguments: [(0, "0"), (-1, "-1"), (Int.max, "9223372036854775807"), (Int.min, "-9223372036854775808")])
    func writesInt(value: Int, json: String) {
        #expect(text { $0.int(value) } == json)
    }

    @Test func brokenInvariantsTrap() async {
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.double(.nan)
        }
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.int(1)
        }
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginArray()
            writer.key("a")
        }
        await #expect(processExitsWith: .failure) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("a")
            writer.endObject()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func int(_ value: Int, under name: String) {
        key(name)
        int(value)
    }
}
