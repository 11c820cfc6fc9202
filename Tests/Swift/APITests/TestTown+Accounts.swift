import HTTP
import SookeModel
import Store
import Synchronization
import Testing

@testable import API
@testable import Dispatcher
@testable import Service

extension TestTown {
    /// A town with five accounts: 1 is a super admin, 2 owns the business `zeds`, 3 and 4 are members, 5 owns the shed,
    /// which is not listed.
    static func withAccounts(kinds: [any SluggedRecord.Type] = API.kinds) async throws -> TestTown {
        let roles = ["super_admin", "business_owner", "general_user", "general_user", "business_owner"]
        return try await TestTown(kinds: kinds) { transaction in
            for (id, role) in zip(1..., roles) {
                try transaction.upsert(.person, #"{"id":\#(id),"email":"p\#(id)@town.example","role":"\#(role)"}"#)
            }
            try transaction.upsert(.business, #"{"slug":"zeds","owner_id":2}"#)
            try transaction.upsert(.business, #"{"slug":"shed","owner_id":5}"#)
        }
    }

    /// The header field with a new session of a person, or an API token with a scope.
    func authorization(of person: Int, scope: Credential.Scope? = nil) async throws -> (String, String) {
        try await give(scope == nil ? .session : .api, scope == nil ? .session : .apiToken, to: person, lasting: 43_200)
        {
            $0.scope = scope
        }.token.asField
    }

    /// Counts a response as the server does.
    func record(_ response: Response, duration: Int) {
        api.metrics.record(response.route, response.status, duration: duration)
    }

    /// The response to a request of the owner of the folder.
    func ask(_ method: HTTP.Method, _ target: String, body: String = "") async throws -> Response {
        try await send(method, target, as: .folder, body: body)
    }
}

/// An audit in memory.
final class AuditMemory: AuditTrail {
    private let lines = Mutex<[(book: AuditBook, line: [UInt8])]>([])

    func append(_ line: [UInt8], to book: AuditBook) {
        lines.withLock { $0.append((book, line)) }
    }

    func newest(_ limit: Int, of books: [AuditBook]) -> [[UInt8]] {
        lines.withLock { lines in
            lines.filter { books.contains($0.book) }.suffix(limit).reversed().map { $0.line.dropLast() }
        }
    }

    /// Takes all lines of a book, or of both, without their times.
    func take(_ book: AuditBook? = nil) -> [String] {
        let taken = lines.withLock { lines in
            let taken = lines.filter { book == nil || $0.book == book }
            lines.removeAll { book == nil || $0.book == book }
            return taken
        }
        return taken.map { entry in
            String(decoding: entry.line.dropLast(), as: UTF8.self)
                .replacing(/"at":"[^"]*",/, with: "")
        }
    }
}
