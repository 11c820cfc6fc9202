/// Saving.
extension EditModel {
    /// How often a save is sent again because the record changed meanwhile without a conflict.
    private static var attempts: Int { 3 }

    /// Sends the changes until they are saved.
    ///
    /// - Returns: whether they are saved; otherwise the model shows why.
    func sendChanges(with client: APIClient) async throws -> Bool {
        for _ in 0..<Self.attempts {
            guard let sent = edit, sent.conflicts.isEmpty, problems.isEmpty else { return false }
            // A save whose response was lost is found when the newer version is merged.
            if sent.changes.isEmpty { return finish() }
            do {
                var request = try APIRequest(
                    .patch, Draft.path(of: sent.slug), body: sent.mine.members(sent.changes))
                request.ifMatch = sent.entityTag
                let response: APIResponse<JSONValue> = try await client.send(request)
                edit?.finish(sending: sent.mine, as: try RecordVersion(response.value, response.entityTag))
                return finish()
            } catch let error as APIError {
                guard try await recover(from: error, sending: sent, with: client) else { return false }
            }
        }
        return false
    }

    /// Shows why a save was refused.
    ///
    /// - Returns: whether to try again.
    /// - Throws: the error, if there is no other place for it.
    private func recover(
        from error: APIError, sending sent: Edit<Draft>, with client: APIClient
    ) async throws -> Bool {
        guard case .httpError(let status, let response) = error else { throw error }
        switch status {
        case 412:
            // The response contains the version that is stored now.
            guard let current = response?.error.current else { return try await fetch(sent.slug, with: client) }
            show(try RecordVersion(current, response?.entityTag))
        case 404: return try await fetch(sent.slug, with: client)
        case 422:
            guard let fields = response?.error.fields, !fields.isEmpty else { throw error }
            refused = (sent.mine, fields)
            return false
        default: throw error
        }
        return true
    }

    /// Fetches the record, which may have another slug now.
    ///
    /// - Returns: whether it exists.
    private func fetch(_ slug: String, with client: APIClient) async throws -> Bool {
        do {
            let response: APIResponse<JSONValue> = try await client.send(APIRequest(.get, Draft.path(of: slug)))
            show(try RecordVersion(response.value, response.entityTag))
            return true
        } catch let error as APIError where error.statusCode == 404 {
            show(nil)
            return false
        }
    }

    private func finish() -> Bool {
        refused = nil
        storeDraft()
        return true
    }
}
