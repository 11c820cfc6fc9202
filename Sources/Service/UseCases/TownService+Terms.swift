import SookeModel
import Store

/// Categories and event types.
extension TownService {
    /// The term with a slug.
    ///
    /// - Throws: `notFound`.
    public func term<Vocabulary: WritableVocabulary>(
        _ slug: Slug, of vocabulary: Vocabulary.Type, in town: Town
    ) throws(ServiceError) -> TermRecord<Vocabulary> {
        guard let record = Vocabulary.table(of: town)[slug] else { throw .notFound(.record(Vocabulary.kind)) }
        return record
    }

    /// Creates a term.
    public func createTerm<Vocabulary: WritableVocabulary>(
        _ input: PatchInput<Term<Vocabulary>>, for context: RequestContext
    ) -> Transaction<Outcome> {
        once(for: context, .superAdmin) { transaction in
            let (patch, problems) = input.restricted(to: SettableFields.term(Vocabulary.self))
            try transaction.requireNone(of: problems) { trial throws(WriteError) in try trial.create(patch) }
            let id = try transaction.create(patch).id
            return .created(try transaction.town.joined(Term<Vocabulary>.self, id: id))
        }
    }

    /// Changes a term.
    public func updateTerm<Vocabulary: WritableVocabulary>(
        _ slug: Slug, _ input: PatchInput<Term<Vocabulary>>, for context: RequestContext
    ) -> Transaction<Outcome> {
        once(for: context, .superAdmin) { [self] transaction in
            let id = try term(slug, of: Vocabulary.self, matching: context.precondition, in: transaction.town).id
            let (patch, problems) = input.restricted(to: SettableFields.term(Vocabulary.self))
            try transaction.requireNone(of: problems) { trial throws(WriteError) in try trial.update(id, patch) }
            try transaction.update(id, patch)
            return .updated(try transaction.town.joined(Term<Vocabulary>.self, id: id))
        }
    }

    /// Deletes a term that no record uses.
    public func deleteTerm<Vocabulary: WritableVocabulary>(
        _ slug: Slug, of vocabulary: Vocabulary.Type, for context: RequestContext
    ) -> Transaction<Outcome> {
        once(for: context, .superAdmin) { [self] transaction in
            try transaction.delete(
                try term(slug, of: vocabulary, matching: context.precondition, in: transaction.town))
            return .deleted
        }
    }

    private func term<Vocabulary: WritableVocabulary>(
        _ slug: Slug, of vocabulary: Vocabulary.Type, matching precondition: Precondition, in town: Town
    ) throws(ServiceError) -> Term<Vocabulary> {
        let record = try term(slug, of: vocabulary, in: town)
        try precondition.require(
            record.digest, PlainRecord(record))
        return record.value
    }
}
