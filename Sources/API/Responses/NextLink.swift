import Bytes
import HTTP

extension Request {
    /// The value of a `Link` field (RFC 8288) to the next page: this request with another value of one parameter.
    ///
    /// - Parameters:
    ///   - parameter: the parameter.
    ///   - others: parameters that the address of the next page does not have.
    func linkToNext(_ parameter: String, _ value: String, without others: [String] = []) -> [UInt8] {
        var link = [UInt8]("<")
        link.append(contentsOf: path.encoded)
        link.append("?")
        for pair in query.encoded.split(separator: UInt8(ascii: "&")) {
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let decoded = (try? PercentCoding.decode(name, plusIsSpace: true)) ?? []
            if ([parameter] + others).contains(where: { $0.utf8.elementsEqual(decoded) }) { continue }
            for byte in pair {
                // A target may contain bytes that no address has.
                if Self.isInAddress(byte) { link.append(byte) } else { link.append(utf8: PercentCoding.encode([byte])) }
            }
            link.append("&")
        }
        link.append(utf8: "\(parameter)=\(value)>; rel=\"next\"")
        return link
    }

    private static func isInAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: true
        default: false
        }
    }
}
