enum ParseFailure: Error, Equatable, CaseIterable, Sendable {
    case badRequestLine, bareLineFeed, badVersion, unsupportedVersion, unknownMethod
    case badTarget, nulInTarget, targetNotUTF8, aboveRoot, targetTooLong
    case badFieldName, foldedField, badFieldValue, fieldTooLong, fieldsTooLong, tooManyFields
    case missingHost, repeatedHost, badHost, repeatedField
    case badContentLength, badTransferEncoding, unknownTransferEncoding, ambiguousLength
    case unknownExpectation
    case badChunk, chunkOverheadTooLong, bodyTooLarge, noRoomForBody

    var error: HTTPError {
        switch self {
        case .unknownMethod:
            HTTPError(.notImplemented, code: "not_implemented", message: "this method is not supported")
        case .unsupportedVersion:
            HTTPError(
                .httpVersionNotSupported, code: "http_version_not_supported", message: "use HTTP/1.1 or HTTP/1.0")
        case .unknownTransferEncoding:
            HTTPError(.notImplemented, code: "not_implemented", message: "the only Transfer-Encoding here is chunked")
        case .targetTooLong:
            HTTPError(.uriTooLong, code: "uri_too_long", message: "the request target is too long")
        case .fieldTooLong, .fieldsTooLong, .tooManyFields:
            HTTPError(.requestHeaderFieldsTooLarge, code: "header_fields_too_large", message: message)
        case .unknownExpectation:
            HTTPError(
                .expectationFailed, code: "expectation_failed",
                message: "the only supported expectation is 100-continue")
        case .bodyTooLarge:
            HTTPError(.contentTooLarge, code: "content_too_large", message: "the body is larger than allowed here")
        case .noRoomForBody:
            .overloaded
        case .nulInTarget, .targetNotUTF8:
            .invalidParameter(message)
        default:
            HTTPError(.badRequest, code: "bad_request", message: message)
        }
    }

    private var message: String {
        switch self {
        case .badRequestLine: "the request line is not `METHOD target HTTP/1.1`"
        case .bareLineFeed: "lines must end in CR LF"
        case .badVersion: "the HTTP version cannot be read"
        case .badTarget: "the request target contains a character that is not allowed, or is not a path"
        case .nulInTarget: "the request target holds NUL"
        case .targetNotUTF8: "the request target contains bytes that are not UTF-8"
        case .aboveRoot: "the path leads above the root"
        case .badFieldName: "a header field has an invalid name"
        case .foldedField: "a header field continues on a second line"
        case .badFieldValue: "a header field contains a control character"
        case .fieldTooLong: "a header field is too long"
        case .fieldsTooLong: "the header fields are too long together"
        case .tooManyFields: "there are too many header fields"
        case .missingHost: "the Host field is missing"
        case .repeatedHost: "there is more than one Host field"
        case .badHost: "the host cannot be read"
        case .repeatedField: "there is more than one Authorization, Content-Type or Idempotency-Key field"
        case .badContentLength: "Content-Length is not one plain number"
        case .badTransferEncoding: "Transfer-Encoding is not the single word chunked"
        case .ambiguousLength: "Content-Length and Transfer-Encoding exclude each other"
        case .badChunk: "the chunked body cannot be read"
        case .chunkOverheadTooLong: "chunk extensions and trailers are too long"
        default: "the request cannot be read"
        }
    }
}
