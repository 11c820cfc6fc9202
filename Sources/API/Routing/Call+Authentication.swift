import Bytes
import Credentials
import HTTP
import Service
import Store

extension Call {
    /// Whether a request has no credential.
    static func isAnonymous(_ request: Request) -> Bool {
        !request.isLocal && request.headers.first("authorization") == nil
    }

    /// Finds the caller, and whether they have all permissions. The caller of a request over the local socket is the
    /// owner; others need a token (RFC 6750, section 2.1).
    ///
    /// - Throws: 401 `invalid_token`.
    static func authenticate(
        _ request: Request, _ version: Version, _ town: Town
    ) throws(HTTPError) -> (caller: Caller, isSuperAdmin: Bool) {
        if request.isLocal { return (.owner, true) }
        guard let field = request.headers.first("authorization") else { return (.anonymous, false) }
        let scheme: StaticString = "bearer "
        let token =
            field.startsIgnoringCase(with: scheme) ? Token(text: field.dropFirst(scheme.utf8CodeUnitCount)) : nil
        do throws(ServiceError) {
            return try town.authenticate(token, in: version)
        } catch {
            throw HTTPError(error)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes begin with a literal in lower case, ignoring case.
    fileprivate func startsIgnoringCase(with literal: StaticString) -> Bool {
        literal.withUTF8Buffer { letters in
            count >= letters.count
                && letters.indices.allSatisfy { ASCII.lowercased(self[startIndex + $0]) == letters[$0] }
        }
    }
}
