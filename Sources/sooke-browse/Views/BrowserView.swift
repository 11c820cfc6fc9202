import SookeClient
import ViewTree

/// The whole screen: a line with the title and the connection, and one of the lists.
struct BrowserView: View {
    let browser: Browser
    @State private var title = ""

    var body: some View {
        VStack {
            HStack {
                Text(title).bold()
                Spacer()
                ConnectionText()
            }
            Divider()
            if browser.isSessionLost {
                Text("You were logged out: your rights have changed, or your session has ended. Press l to log in.")
                    .foregroundStyle(.warning)
            }
            if let problem = browser.town.fileProblem {
                Text(problem.localizedDescription).foregroundStyle(.warning)
            }
            switch browser.section {
            case .businesses: BusinessListView()
            case .events: EventListView()
            }
        }
        .onPreferenceChange(NavigationTitleKey.self) { title = $0 }
        .sheet(isPresented: Bindable(wrappedValue: browser).isLoggingIn) { LoginView() }
        .environment(browser)
    }
}

/// The account, the time, and whether the screen is current.
private struct ConnectionText: View {
    @Environment(Browser.self) private var browser

    var body: some View {
        let town = browser.town
        let account = browser.session.account.map { "\($0.email) · " } ?? ""
        HStack {
            Text("\(account)\(Moment.day(town.moment)) \(Moment.time(town.moment)) ·").foregroundStyle(.secondary)
            switch town.state {
            case .starting: Text(town.updatedText().map { "\($0) ○" } ?? "connecting ○").foregroundStyle(.soon)
            case .live: Text("live ●").foregroundStyle(.open)
            case .offline: Text("offline, \(town.updatedText() ?? "nothing stored") ○").foregroundStyle(.warning)
            case .revoked: Text("logged out ○").foregroundStyle(.warning)
            }
        }
    }
}
