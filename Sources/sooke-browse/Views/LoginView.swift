import ViewTree

struct LoginView: View {
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
