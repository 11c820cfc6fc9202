import Journal
import Platform
import Store

extension Scrubber {
    /// The scrubber of the folder of a store: damage is reported in the store's problems and on standard error, there
    /// once and not every day.
    convenience init(_ store: Store, folder: String, console: Console) throws(SystemError) {
        try self.init(inspect: { () throws(JournalError) in try JournalInspector.inspect(folder).findings }) { result in
            Self.take(result, for: store, folder: folder, console: console)
        }
    }

    /// Publishes the result of a scrub. An incomplete one does not change what is known already.
    static func take(_ result: ScrubResult, for store: Store, folder: String, console: Console) {
        let earlier = store.problems.files?.detail
        var messages = result.messages(folder: folder)
        var isSound = false
        switch result {
        case .sound:
            isSound = true
            if earlier != nil { messages = ["the files in \(folder) are sound again"] }
            store.recordDamage(nil)
        case .damaged, .unreadable:
            guard let damage = result.damage else { break }
            if damage == earlier { messages = [] }
            store.recordDamage(damage)
        }
        for message in messages { console.log(isSound ? .info : .error, message) }
    }
}
