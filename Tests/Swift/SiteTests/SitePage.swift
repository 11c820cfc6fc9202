import Foundation

/// What tests look for in the markup of a page.
extension String {
    /// What stands between two texts, each time. Bytes are compared: a combining character may follow a quotation mark.
    func parts(between start: String, and end: String) -> [String] {
        let (text, start, end) = (Array(utf8), Array(start.utf8), Array(end.utf8))
        var (found, index) = ([String](), 0)
        while let first = text.index(after: start, from: index), let last = text.index(after: end, from: first) {
            found.append(String(decoding: text[first..<(last - end.count)], as: UTF8.self))
            index = last
        }
        return found
    }

    /// The names in the rows of lists, in order, without the marks of a search.
    var rows: [String] {
        parts(between: "<span class=\"name\" dir=\"auto\">", and: "</span>")
            .map { name in
                ["<mark>", "</mark>"].reduce(name) { $0.replacingOccurrences(of: $1, with: "") }.unescaped
            }
    }

    /// The text of the elements in a part of a page, without the markup and with one space for each gap; on a screen,
    /// which shows nothing that is for paper.
    var words: String {
        let paper = "<span class=\"paper\">"
        if contains(paper) {
            return parts(between: paper, and: "</span>").reduce(self) {
                $0.replacingOccurrences(of: paper + $1 + "</span>", with: "")
            }.words
        }
        var (text, isInTag) = ([UInt8](), false)
        // A part may begin within a tag.
        if let end = utf8.firstIndex(of: UInt8(ascii: ">")), !utf8[..<end].contains(UInt8(ascii: "<")) {
            isInTag = true
        }
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "<"):
                isInTag = true
                text.append(UInt8(ascii: " "))
            case UInt8(ascii: ">"): isInTag = false
            default: if !isInTag { text.append(byte) }
            }
        }
        let gaps = [UInt8(ascii: " "), UInt8(ascii: "\n")]
        return text.split(whereSeparator: gaps.contains).map { String(decoding: $0, as: UTF8.self) }
            .joined(separator: " ")
    }

    /// What a page shows between its frame's head and foot, with spaces that break.
    var main: String {
        (parts(between: "<main id=\"main\">", and: "</main>").first ?? "").replacing("\u{A0}", with: " ")
    }

    /// The addresses of all links, forms and files, in order of their attributes.
    var addresses: [String] {
        ["href=\"", "src=\"", "action=\""].flatMap { parts(between: " " + $0, and: "\"") }.map(\.unescaped)
    }

    /// The JSON that search engines read.
    var data: String? { parts(between: "<script type=\"application/ld+json\">", and: "</script>").first }

    /// The text that a reader of markup sees.
    var unescaped: String {
        [("&lt;", "<"), ("&gt;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&#13;", "\r"), ("&amp;", "&")]
            .reduce(self) { $0.replacingOccurrences(of: $1.0, with: $1.1, options: .literal) }
    }
}

extension [UInt8] {
    /// The index after the first occurrence of some bytes; nil without one.
    fileprivate func index(after part: [UInt8], from start: Int) -> Int? {
        guard let first = part.first, start <= count - part.count else { return nil }
        for index in start...(count - part.count) where self[index] == first {
            if self[index..<(index + part.count)].elementsEqual(part) { return index + part.count }
        }
        return nil
    }
}
