import SookeModel
import Store

extension TownService {
    package func person(_ id: Int, in town: Town) throws(ServiceError) -> Person {
        guard let person = town.people[id] else { throw .notFound(.record(.person)) }
        return person
    }

    package func createPerson(
        _ input: PatchInput<Person>, for context: RequestContext
    ) async throws(ServiceError) -> Outcome {
        try await run(
            once(for: context, .superAdmin) { transaction in
                let (patch, problems) = input.restricted(to: SettableFields.person)
                try transaction.requireNone(of: problems) { trial throws(WriteError) in try trial.create(patch) }
                let person = try transaction.create(patch)
                context.subject?.set(person)
                return .created(try transaction.town.joined(Person.self, id: person.id))
            }, for: context)
    }

    package func updatePerson(
        _ id: Int, _ input: PatchInput<Person>, for context: RequestContext
    ) async throws(ServiceError) -> Outcome {
        try await run(
            once(for: context, .superAdmin) { [self] transaction in
                let person = try person(id, matching: context, in: transaction.town)
                context.subject?.set(person)
                let (patch, problems) = input.restricted(to: SettableFields.person)
                try transaction.requireNone(of: problems) { trial throws(WriteError) in try trial.update(id, patch) }
                let before = transaction.town
                try transaction.update(id, patch)
                try transaction.town.requireAdmin(after: before)
                return .updated(try transaction.town.joined(Person.self, id: id))
            }, for: context)
    }

    package func promote(
        _ id: Int, to role: Person.Role, for context: RequestContext
    ) async throws(ServiceError) -> Outcome {
        var patch = Patch<Person>()
        patch.values.role = role
        patch.fields = ["role"]
        return try await updatePerson(id, PatchInput(patch), for: context)
    }

    /// Its businesses and events stay, without an owner.
    package func deletePerson(_ id: Int, for context: RequestContext) async throws(ServiceError) -> Outcome {
        try await run(
            once(for: context, .superAdmin) { [self] transaction in
                let person = try person(id, matching: context, in: transaction.town)
                context.subject?.set(person)
                let before = transaction.town
                try transaction.deletePerson(person.id)
                try transaction.town.requireAdmin(after: before)
                return .deleted
            }, for: context)
    }

    /// For the owner of the server.
    package func setPassword(
        _ password: String, of id: Int, keepingTokens: Bool, _ problems: FieldProblems = FieldProblems(),
        for context: RequestContext
    ) async throws(ServiceError) {
        let known = try person(id, in: context.town)
        context.subject?.set(known)
        let hash = try await hash(password, "new_password", of: known.email, problems, for: context)
        let clock = expiryClock
        let transaction = Transaction(for: context, .folderOwner) { [self] transaction in
            let person = try person(id, in: transaction.town)
            transaction.setPassword(hash, of: person.id, at: clock.now(), revokingTokens: !keepingTokens)
        }
        try await run(transaction, for: context)
    }

    /// Its API tokens stay.
    package func endSessions(of id: Int, for context: RequestContext) async throws(ServiceError) -> Outcome {
        try await run(
            Transaction(for: context, .superAdmin) { [self] transaction in
                let person = try person(id, in: transaction.town)
                context.subject?.set(person)
                for credential in transaction.town.credentials.of(person: person.id)
                where credential.purpose == .session {
                    transaction.deleteCredential(credential.id)
                }
                return .deleted
            }, for: context)
    }

    private func person(_ id: Int, matching context: RequestContext, in town: Town) throws(ServiceError) -> Person {
        let person = try person(id, in: town)
        try context.precondition.require(person, in: town)
        return person
    }
}

extension Town {
    /// Without a super admin the town could not be administered remotely. The owner of the server may change a town
    /// that had none before.
    func requireAdmin(after before: Town) throws(ServiceError) {
        guard hasAdmin || !before.hasAdmin else { throw .lastAdmin }
    }

    private var hasAdmin: Bool { self.people.inOrderOfID.contains { $0.role == .superAdmin } }
}
