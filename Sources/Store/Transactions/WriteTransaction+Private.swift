import SookeModel

/// Private records. They are not validated: the code that makes them is responsible for their content.
extension WriteTransaction {
    /// - Returns: the credential; if its ID was 0, with a new ID.
    @discardableResult
    package mutating func put(_ credential: Credential) -> Credential {
        keepNumbered(credential)
    }

    /// With all that were made with it: no credential outlives the token that made it.
    package mutating func deleteCredential(_ id: Int) {
        guard let credential = town.credentials[id] else { return }
        append(.delete(.credential, id: id))
        guard credential.purpose == .apiToken else { return }
        for made in town.credentials.inOrderOfID.filter({ $0.createdByToken == id }) { deleteCredential(made.id) }
    }

    package mutating func deleteCredentials(madeForOthersBy person: Int) {
        let made = town.credentials.inOrderOfID.filter { $0.createdBy == person && $0.person != person }
        for credential in made { deleteCredential(credential.id) }
    }

    package mutating func put(_ password: PasswordRecord) {
        keep(password, after: town.passwords[password.id])
    }

    package mutating func deletePassword(of person: Int) {
        if town.passwords[person] != nil { append(.delete(.password, id: person)) }
    }

    /// Replaces the receipt that its sender has for its key, and deletes the oldest ones beyond the limit.
    @discardableResult
    package mutating func put(_ receipt: Receipt, limits: AccountLimits = .standard) -> Receipt {
        var receipt = receipt
        let existing = town.receipts[person: receipt.person, key: receipt.key]
        receipt.id = existing?.id ?? nextID(.receipt)
        keep(receipt, after: existing)
        while town.receipts.count(of: receipt.person) > limits.receipts,
            let oldest = town.receipts.oldest(of: receipt.person), oldest.id != receipt.id
        {
            deleteReceipt(oldest.id)
        }
        return receipt
    }

    package mutating func deleteReceipt(_ id: Int) {
        if town.receipts[id] != nil { append(.delete(.receipt, id: id)) }
    }

    /// Returns the e-mail; if its ID was 0, with a new ID.
    @discardableResult
    package mutating func put(_ mail: Mail) -> Mail {
        keepNumbered(mail)
    }

    package mutating func deleteMail(_ id: Int) {
        if town.mails[id] != nil { append(.delete(.mail, id: id)) }
    }

    /// Inserts a private record of another store, unless there is one with its ID, or it belongs to somebody who does
    /// not exist here.
    package mutating func restore(_ record: AnyRecord) {
        let people: [Int?]
        switch record.value {
        case let password as PasswordRecord: people = [password.id]
        case let credential as Credential: people = [credential.person, credential.createdBy]
        case let proposal as Proposal:
            guard proposal.business.map({ town.businesses.has(id: $0) }) ?? true else { return }
            people = [proposal.submittedBy]
        case let receipt as Receipt: people = [receipt.person]
        case let mail as Mail: people = [mail.person]
        case let calendar as PulledCalendar:
            var problems = FieldProblems()
            calendar.checkReferences(in: town, &problems)
            guard problems.isEmpty else { return }
            people = []
        default: people = []
        }
        let exist = people.allSatisfy { person in person.map { town.people.has(id: $0) } ?? true }
        if exist, town.record(of: record.kind, record.id) == nil { append(.put(record)) }
    }

    private mutating func keepNumbered<Record: TableRecord & StoredRecord>(_ record: Record) -> Record {
        var record = record
        if record.id == 0 { record.id = nextID(Record.kind) }
        keep(record, after: town.storage[0][keyPath: Record.table][record.id])
        return record
    }

    private mutating func keep<Value: StoredRecord>(_ record: Value, after existing: Value?) {
        if existing != record { append(.put(AnyRecord(record))) }
    }
}
