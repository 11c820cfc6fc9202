import SookeModel

/// Private records: the code that makes them answers for what is in them, so nothing is refused.
extension Edit {
    /// Keeps a grant, in the place of the one with its number.
    ///
    /// - Returns: the grant; one that brings the number 0 has the next one now.
    @discardableResult
    public mutating func put(_ grant: Grant) -> Grant {
        var grant = grant
        if grant.id == 0 { grant.id = nextNumber(.grant) }
        keep(grant, .grant(grant), after: community.grants[grant.id])
        return grant
    }

    /// Deletes a grant, if it is there.
    public mutating func deleteGrant(_ id: Int) {
        if community.grants.has(id: id) { note(.delete(.grant, id: id)) }
    }

    /// Keeps a password, in the place of the one its person has.
    public mutating func put(_ password: PasswordRecord) {
        keep(password, .password(password), after: community.passwords[password.id])
    }

    /// Deletes the password of a person, if they have one.
    public mutating func deletePassword(of person: Int) {
        if community.passwords[person] != nil { note(.delete(.password, id: person)) }
    }

    /// Keeps a receipt, in the place of the one that its person has for its key.
    ///
    /// - Returns: the receipt with its number.
    @discardableResult
    public mutating func put(_ receipt: Receipt) -> Receipt {
        var receipt = receipt
        let existing = community.receipts[person: receipt.person, key: receipt.key]
        receipt.id = existing?.id ?? nextNumber(.receipt)
        keep(receipt, .receipt(receipt), after: existing)
        return receipt
    }

    /// Deletes a receipt, if it is there.
    public mutating func deleteReceipt(_ id: Int) {
        if community.receipts[id] != nil { note(.delete(.receipt, id: id)) }
    }

    private mutating func keep<Value: StoredRecord>(_ record: Value, _ any: AnyRecord, after existing: Value?) {
        if existing != record || existing?.written != record.written { note(.put(any)) }
    }
}
