import SookeClient
import ViewTree

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
            ForEach(notices) { line in
                Text(line.text).foregroundStyle(line.role)
            }
            RecordListView(list: browser.list).id(browser.list.kind)
        }
        .onPreferenceChange(NavigationTitleKey.self) { title = $0 }
        .sheet(isPresented: Bindable(wrappedValue: browser).isLoggingIn) { LoginView() }
        .environment(browser)
        .environment(\.rowsOfPage, browser.size.rowsOfPage)
    }
}

extension BrowserView {
    private var notices: [StyledText] {
        let (town, clock) = (browser.town, TownClock(of: browser.town.replica))
        let all = town.replica.notices(at: town.moment)
        let shown = all.prefix(browser.size.rows < 16 ? 1 : 3).map { StyledText($0, clock) }
        let rest = all.count - shown.count
        return rest == 0 ? shown : shown + [StyledText("and \(rest) more", .secondary)]
    }
}

/// The account, the time, and whether the screen is current; the last is the last to yield.
private struct ConnectionText: View {
    @Environment(Browser.self) private var browser

    var body: some View {
        let town = browser.town
        let updated = town.updatedText() ?? "nothing stored"
        Text("\(about) ·").foregroundStyle(.secondary)
        switch town.state {
        case .starting: Text(town.updatedText().map { "\($0) ○" } ?? "connecting ○").foregroundStyle(.soon)
        case .live: Text("live ●").foregroundStyle(.open)
        case .offline:
            Text(browser.size.isNarrow ? "offline ○" : "offline, \(updated) ○").foregroundStyle(.warning)
        case .revoked: Text("logged out ○").foregroundStyle(.warning)
        }
    }

    private var about: String {
        let town = browser.town
        let account = browser.session.account?.email
        let clock = TownClock(of: town.replica)
        let time = "\(clock.day(town.moment)) \(clock.time(town.moment))"
        guard browser.size.isNarrow else { return [account, time].compactMap(\.self).joined(separator: " · ") }
        if case .offline = town.state { return town.updatedText() ?? "nothing stored" }
        return account ?? time
    }
}

private struct LoginView: View {
    @Environment(Browser.self) private var browser
    @Environment(\.dismiss) private var dismiss
    @State private var email = ""
    @State private var password = ""
    @State private var isInPassword = false
    /// The number of the attempt that is under way; 0 before the first.
    @State private var attempt = 0

    var body: some View {
        VStack {
            Text("Log in").bold()
            Divider()
            HStack {
                Text("E-mail").frame(width: 10)
                TextField("ada@town.example", text: $email).focused(!isInPassword)
            }
            HStack {
                Text("Password").frame(width: 10)
                SecureField("", text: $password).focused(isInPassword)
            }
            if let error = browser.session.error, attempt > 0 {
                Text(browser.describe(error)).foregroundStyle(.warning)
            }
            Spacer()
            Divider()
            HStack {
                Button("next field", key: .tab) { isInPassword.toggle() }
                Button("log in", key: .enter) { if isInPassword { attempt += 1 } else { isInPassword = true } }
                    .disabled(browser.session.isLoading)
                Button("cancel", key: .escape) { dismiss() }
            }
        }
        .task(id: attempt) {
            guard attempt > 0 else { return }
            if await browser.logIn(email: email, password: password) { dismiss() } else { password = "" }
        }
    }
}
