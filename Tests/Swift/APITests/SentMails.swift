import API
import Service
import Synchronization

/// The e-mails that a server has sent.
final class SentMails: Sendable {
    private let mails = Mutex<[Mail]>([])

    var all: [Mail] { mails.withLock { $0 } }

    @Sendable func add(_ mail: Mail) {
        mails.withLock { $0.append(mail) }
    }
}
