import Bytes
import Foundation
import Observation
import SookeModel

/// An edit of a business; see `EditModel`.
public typealias BusinessEditModel = EditModel<BusinessField>
/// An edit of an event; see `EditModel`.
public typealias EventEditModel = EditModel<EventField>

/// An edit of a record: a draft that is a copy, validated while it is typed, and then saved or cancelled.
///
/// `open()` copies the record. Only `save()` changes it, and only the fields that differ. When somebody else has
/// changed the record meanwhile, what only one side has changed is merged; of a field that both have changed,
/// `conflicts` shows all three values, and `resolve` chooses one. What is saved reaches lists through the feed, not
/// from here.
///
/// With a folder, a draft survives a restart of the app: `open()` continues it.
@MainActor @Observable
public final class EditModel<Field: DraftField> {
    /// The draft of a record.
    public typealias Draft = SookeClient.Draft<Field>

    /// The client that sends the requests; without one nothing is fetched or saved.
    public var apiClient: APIClient?
    /// The slug with which the record was opened.
    public let slug: String
    /// What the server would refuse, as messages by the place in the record, such as `hours[2].open_time`.
    public private(set) var problems: [String: String] = [:]
    /// Whether `save()` is in progress.
    public private(set) var isSaving = false
    /// Whether the record does not exist any more; the editor should close.
    public private(set) var isDeleted = false
    /// Whether `open()` continued a draft from before a restart.
    public private(set) var isRestored = false
    /// The name of the file to which a damaged draft was renamed; nil if there was none.
    public private(set) var damagedDraft: String?
    /// Why the draft could not be stored, or a stored one could not be read or removed; nil if it could.
    public private(set) var draftError: (any Error)?

    var edit: Edit<Field>? { didSet { if edit != oldValue { update() } } }
    var refused: (draft: Draft, problems: [String: String])? { didSet { update() } }
    private let loader = Loader(())
    @ObservationIgnored private let folder: URL?
    @ObservationIgnored private let background: BackgroundTask
    @ObservationIgnored private var hasUnstoredChange = false

    /// A model of a record that has not been opened. `drafts` is the folder for drafts that survive a restart, nil for
    /// none; `clock` measures the second after a change until the draft is stored.
    public init(slug: String, drafts folder: URL? = nil, clock: any Clock<Duration> = ContinuousClock()) {
        (self.slug, self.folder) = (slug, folder)
        background = BackgroundTask(clock: clock)
    }

    /// The draft. It is empty, and cannot be changed, until the record is open.
    public var draft: Draft {
        get { edit?.mine ?? Draft() }
        set {
            guard edit != nil, edit?.mine != newValue else { return }
            edit?.mine = newValue
            storeLater()
        }
    }

    /// The newest known version of the record, without the draft; nil until it is open.
    public var original: Draft? { edit?.theirs }
    /// Whether there is a draft to edit.
    public var isOpen: Bool { edit != nil }
    /// Whether the record is being fetched.
    public var isLoading: Bool { loader.isLoading }
    /// Why the newest request failed; nil if it did not. Invalid fields are in `problems`.
    public var error: (any Error)? { loader.error }
    /// The fields that saving would change.
    public var changes: [Field] { edit?.changes ?? [] }
    /// The fields that both sides have changed, until `resolve` chooses a value.
    public var conflicts: [FieldConflict<Field>] { edit?.conflicts ?? [] }

    /// Whether there is something to save, it is valid and without conflicts, and nothing is being saved.
    public var canSave: Bool {
        apiClient != nil && !isSaving && !isDeleted && problems.isEmpty && conflicts.isEmpty && !changes.isEmpty
    }

    /// What is wrong with a field, or with a part of it; nil if nothing is known to be.
    public func problem(of field: Field) -> String? {
        problems[field.rawValue]
            ?? problems.filter { $0.key.fieldName == field.rawValue }.min { $0.key < $1.key }.map {
                "\($0.key.dropFirst(field.rawValue.count)) \($0.value)"
            }
    }

    /// Opens the record: continues a stored draft, and fetches the record.
    public func open() async {
        if edit == nil { restore() }
        await refresh()
    }

    /// Fetches the record again, and merges what has changed; for example when the feed reports a change of it.
    public func refresh() async {
        guard let apiClient, !isSaving else { return }
        let (slug, saved) = (edit?.slug ?? slug, edit?.entityTag)
        await loader.load { () async throws -> RecordVersion<Field>? in
            try await RecordVersion.fetch(slug, with: apiClient)
        } show: { [self] in
            // A save has made a newer version.
            if edit?.entityTag == saved, !isSaving { show($1) }
        }
    }

    /// Ends a conflict: with the value of the draft, which saving sends, or with the value that is stored.
    public func resolve(_ field: Field, keep side: ConflictSide) {
        edit?.resolve(field, keep: side)
        storeLater()
    }

    /// Discards the draft. The record is not changed.
    public func cancel() {
        edit?.revert()
        refused = nil
        storeDraft()
    }

    /// Stores a change of the draft that is not stored yet, as when the screen is left.
    public func leave() {
        background.cancel()
        if hasUnstoredChange { storeDraft() }
    }

    /// Sends the changed fields. A newer version on the server is merged first, and saved over if there is no conflict.
    /// Returns whether all changes are saved; otherwise `problems`, `conflicts`, `isDeleted` or `error` say why.
    @discardableResult
    public func save() async -> Bool {
        guard canSave, let apiClient else { return false }
        isSaving = true
        defer { isSaving = false }
        var isDone = false
        await loader.load(isPart: true) { [self] in
            try await sendChanges(with: apiClient)
        } show: {
            isDone = $1
        }
        return isDone
    }

    func show(_ version: RecordVersion<Field>?) {
        guard let version else { return isDeleted = true }
        isDeleted = false
        if edit == nil { edit = Edit(version) } else { edit?.merge(version) }
    }

    private func update() {
        guard let edit else { return }
        var found = edit.problems
        if let refused {
            let changed = edit.mine.difference(from: refused.draft)
            for (place, message) in refused.problems where found[place] == nil {
                let field = Field(rawValue: place.fieldName)
                if field.map({ !changed.contains($0) }) ?? changed.isEmpty { found[place] = message }
            }
        }
        if found != problems { problems = found }
    }
}

extension EditModel {
    private static var attempts: Int { 3 }

    func sendChanges(with client: APIClient) async throws -> Bool {
        for _ in 0..<Self.attempts {
            guard let sent = edit, sent.conflicts.isEmpty, problems.isEmpty else { return false }
            // A save whose response was lost is found when the newer version is merged.
            if sent.changes.isEmpty { return finish() }
            do {
                var request = try APIRequest(
                    .patch, Field.path(of: sent.slug), body: sent.mine.members(sent.changes))
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

    /// Shows why a save was refused, or throws what cannot be shown. Returns whether to try again.
    private func recover(from error: APIError, sending sent: Edit<Field>, with client: APIClient) async throws -> Bool {
        guard case .httpError(let status, let response) = error else { throw error }
        switch status {
        case 412:
            // The response contains the version that is stored now.
            if let current = response?.error.current {
                show(try RecordVersion(current, response?.entityTag))
            } else {
                show(try await RecordVersion.fetch(sent.slug, with: client))
            }
        // The record may have another slug now.
        case 404: show(try await RecordVersion.fetch(sent.slug, with: client))
        case 422:
            guard let fields = response?.error.fields, !fields.isEmpty else { throw error }
            refused = (sent.mine, fields)
            return false
        default: throw error
        }
        return !isDeleted
    }

    private func finish() -> Bool {
        refused = nil
        storeDraft()
        return true
    }
}

extension EditModel {
    private var file: SavedFile<Edit<Field>>? {
        guard let folder, let apiClient else { return nil }
        return SavedFile(draftOf: slug, in: folder, for: apiClient)
    }

    private func restore() {
        do throws(SavedFileProblem) {
            edit = try file?.load()
            isRestored = edit != nil
        } catch {
            draftError = error
            if case .damaged(_, let aside?) = error { (damagedDraft, draftError) = (aside.lastPathComponent, nil) }
        }
    }

    private func storeLater() {
        hasUnstoredChange = true
        background.start(after: .seconds(1)) { [weak self] in self?.storeDraft() }
    }

    /// Stores a draft, and removes the file of one without changes. It is a few kilobytes, written on the main actor,
    /// so that a later one cannot overtake it.
    private func storeDraft() {
        guard let edit else { return }
        background.cancel()
        hasUnstoredChange = false
        do {
            try edit.isUnchanged ? file?.remove() : file?.save(edit)
            draftError = nil
        } catch {
            draftError = error
        }
    }
}

extension String {
    /// `hours` of `hours[2].open_time`.
    fileprivate var fieldName: String { String(prefix { $0 != "[" && $0 != "." }) }
}
