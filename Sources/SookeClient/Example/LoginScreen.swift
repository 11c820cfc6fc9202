import SookeClient
import SwiftUI

/// Opens the login, or ends the session.
struct LoginButton: View {
    @Environment(SessionViewModel.self) private var session
    @State private var isLoggingIn = false

    var body: some View {
        Button(session.isLoggedIn ? "Log Out" : "Log In") {
            if session.isLoggedIn { Task { await session.logOut() } } else { isLoggingIn = true }
        }
        .sheet(isPresented: $isLoggingIn) { LoginScreen() }
    }
}

struct LoginScreen: View {
    @Environment(SessionViewModel.self) private var session
    @Environment(\.dismiss) private var dismiss
    @State private var email = ""
    @State private var password = ""

    var body: some View {
        Form {
            TextField("Email", text: $email).textContentType(.username)
            SecureField("Password", text: $password).textContentType(.password)
            if let error = session.error { Text(error.localizedDescription).foregroundStyle(.red) }
            Button("Log In") {
                Task {
                    await session.logIn(email: email, password: password)
                    if session.isLoggedIn { dismiss() }
                }
            }
            .disabled(session.isLoading || email.isEmpty || password.isEmpty)
        }
    }
}
