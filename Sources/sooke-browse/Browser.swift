import Foundation
import Observation
import SookeClient

/// What all screens share: the session, the town as the account may see it, and which list is shown.
@MainActor @Observable final class Browser {
    enum Section { case businesses, events }

    /// The session, the only owner of the token; it is not stored.
    let session = SessionViewModel()
    /// The town as the account may see it; another one after each login and logout.
    private(set) var town: LiveTown
    /// Whose session ended without a logout, so that the screen can say so.
    private(set) var isSessionLost = false
    /// The list that is shown.
    var section = Section.businesses
    /// The size of the terminal.
    var size = ScreenSize()
    /// Whether the sheet of the login is open.
    var isLoggingIn = false
    /// Whether the program must end.
    private(set) var isQuitting = false

    @ObservationIgnored private var following: Task<Void, Never>?
    private let client: APIClient
    private let folders: BrowserFolders

    init(_ client: APIClient, _ folders: BrowserFolders) {
        (self.client, self.folders) = (client, folders)
        town = LiveTown(client: client, file: folders.replica(of: nil))
        session.apiClient = client
    }

    /// The client that sends requests for the account.
    var currentClient: APIClient { session.client ?? client }

    /// Whether the server can be asked.
    var isLive: Bool { if case .live = town.state { true } else { false } }

    /// Where drafts are stored that survive a restart.
    var draftFolder: URL { folders.drafts }

    /// Whether a business is open, by its whole week.
    func openState(of slug: String) -> OpenState {
        OpenState(town.replica.business(slug: slug)?.hoursStatus(for: town.moment) ?? .unknown)
    }

    /// Whether a business is open now.
    func isOpen(_ slug: String) -> Bool {
        town.replica.business(slug: slug)?.hoursStatus(for: town.moment).isOpen == true
    }

    /// Logs in; then the town is what the account may see.
    ///
    /// - Returns: whether it succeeded.
    func logIn(email: String, password: String) async -> Bool {
        let former = session.token
        await session.logIn(email: email, password: password)
        guard session.token != former, let account = session.account else { return false }
        isSessionLost = false
        show(LiveTown(client: currentClient, account: account.email, file: folders.replica(of: account.email)))
        return true
    }

    /// Logs out; then the town is what everybody may see.
    func logOut() {
        Task { await session.logOut() }
        showPublicTown()
    }

    /// Begins to follow the town.
    func follow() {
        let former = following
        former?.cancel()
        following = Task { [town] in
            await former?.value
            await town.follow()
            if !Task.isCancelled, case .revoked = town.state { loseSession() }
        }
    }

    /// Ends what runs, when the town has been saved.
    func close() async {
        following?.cancel()
        await following?.value
    }

    /// Ends the program.
    func quit() {
        isQuitting = true
    }

    /// An error for people: what is wrong, and what to do.
    func describe(_ error: any Error) -> String {
        switch error {
        case APIError.httpError(_, let response?):
            response.error.message.prefix(1).uppercased() + response.error.message.dropFirst() + "."
        case APIError.httpError(let status, nil): "The server responded with status \(status)."
        case APIError.decodingError: "The server's response is not understood; is it a Sooke server?"
        case APIError.invalidURL: "The address \(client.baseURL) is not valid."
        default: "\(client.baseURL) cannot be reached: \(error.localizedDescription)"
        }
    }

    private func loseSession() {
        isSessionLost = session.isLoggedIn
        session.end()
        showPublicTown()
    }

    private func showPublicTown() {
        show(LiveTown(client: client, file: folders.replica(of: nil)))
    }

    private func show(_ town: LiveTown) {
        self.town = town
        follow()
    }
}
