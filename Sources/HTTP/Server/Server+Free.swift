extension Server {
    /// Makes sure that an address can be listened on, without listening.
    ///
    /// A program that has work to do before it starts its server can so refuse early, with nothing changed. Somebody
    /// else may still take the address meanwhile: `start` says so then.
    /// - Throws: `ServerError` naming the address.
    public static func requireFree(_ address: ListenAddress) throws(ServerError) {
        try Listener(address).close()
    }
}
