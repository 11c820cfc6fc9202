import Bytes

/// Writes metrics in the text format of Prometheus, version 0.0.4
/// (prometheus.io/docs/instrumenting/exposition_formats).
struct Exposition {
    enum Kind {
        case counter
        case gauge
        case histogram

        fileprivate var name: StaticString {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    typealias Labels = [(name: StaticString, value: String)]

    private(set) var bytes: [UInt8] = []
    private var name: StaticString = ""

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Its samples follow.
    mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        self.name = name
        for (word, text) in [("# HELP " as StaticString, help), ("# TYPE ", kind.name)] {
            bytes.append(word)
            bytes.append(name)
            bytes.append(" ")
            bytes.append(text)
            bytes.append("\n")
        }
    }

    mutating func sample(_ value: Int, _ labels: Labels = []) {
        appendName("", labels)
        bytes.append(decimal: value)
        bytes.append("\n")
    }

    mutating func sample(nanoseconds value: Int, _ labels: Labels = []) {
        appendName("", labels)
        append(seconds: value)
        bytes.append("\n")
    }

    /// The count of a bucket includes those of the buckets below it.
    mutating func sample(_ histogram: DurationHistogram, _ labels: Labels = []) {
        var total = 0
        for (index, count) in histogram.counts.enumerated() {
            total += count
            var end: [UInt8] = []
            if index < DurationHistogram.bounds.count {
                var text = Exposition()
                text.append(seconds: DurationHistogram.bounds[index])
                end = text.bytes
            } else {
                end.append("+Inf")
            }
            appendName("_bucket", labels + [("le", String(decoding: end, as: UTF8.self))])
            bytes.append(decimal: total)
            bytes.append("\n")
        }
        appendName("_sum", labels)
        append(seconds: histogram.sum)
        bytes.append("\n")
        appendName("_count", labels)
        bytes.append(decimal: total)
        bytes.append("\n")
    }

    mutating func add(_ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: Int) {
        begin(name, kind, help)
        sample(value)
    }

    private mutating func appendName(_ suffix: StaticString, _ labels: Labels) {
        bytes.append(name)
        bytes.append(suffix)
        for (index, label) in labels.enumerated() {
            bytes.append(index == 0 ? "{" : ",")
            bytes.append(label.name)
            bytes.append("=\"")
            append(escaping: label.value)
            bytes.append("\"")
        }
        bytes.append(labels.isEmpty ? " " : "} ")
    }

    /// Escapes backslashes, quotes and line feeds.
    private mutating func append(escaping text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes.append("\\\\")
            case UInt8(ascii: "\""): bytes.append("\\\"")
            case ASCII.lineFeed: bytes.append("\\n")
            default: bytes.append(byte)
            }
        }
    }

    /// `0.00005`, without trailing zeros.
    private mutating func append(seconds nanoseconds: Int) {
        let (seconds, rest) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        bytes.append(decimal: seconds)
        guard rest > 0 else { return }
        bytes.append(".")
        bytes.append(decimal: rest, width: 9)
        while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
    }
}
