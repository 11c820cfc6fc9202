#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// A request with its response through libcurl's easy interface, which blocks the thread.
    struct CurlExchange {
        /// A file with the certificates to trust in the place of the system's, as curl itself reads it.
        @TaskLocal static var certificates = ProcessInfo.processInfo.environment["SSL_CERT_FILE"]

        private let library: CurlLibrary

        init(_ library: CurlLibrary) {
            self.library = library
        }

        fileprivate final class Context {
            let sockets: SharedSockets
            let receiver: StreamReceiver
            var status = 0
            var fields: [(name: String, value: String)] = []
            var isDone = false

            init(_ sockets: SharedSockets, _ receiver: StreamReceiver) {
                (self.sockets, self.receiver) = (sockets, receiver)
            }
        }

        /// Options with a number, by their numbers in curl.h.
        private static let numbers: [(option: Int32, value: Int)] = [
            (99, 1),  // NOSIGNAL
            (78, 30),  // CONNECTTIMEOUT
            (181, 3),  // PROTOCOLS: http and https
            (265, 1),  // SUPPRESS_CONNECT_HEADERS
        ]
        /// Options with a text or a list.
        private static let (url, fields, method) = (Int32(10002), Int32(10023), Int32(10036))
        private static let certificateFile = Int32(10065)
        /// Options with a function, and those with the data for it.
        private static let (write, header, open, close) = (Int32(20011), Int32(20079), Int32(20163), Int32(20208))
        private static let data: [Int32] = [10001, 10029, 10164, 10209]

        /// Sends a request, and receives its response until its end, or until the receiver wants no more.
        func run(_ request: URLRequest, _ sockets: SharedSockets, _ receiver: StreamReceiver) throws {
            guard let url = request.url, let handle = library.make() else { throw URLError(.unknown) }
            let context = Context(sockets, receiver)
            // It closes the connection, for which it calls back.
            defer { withExtendedLifetime(context) { library.clean(handle) } }
            var list: CurlLibrary.Handle?
            defer { library.free(list) }
            for (name, value) in [("User-Agent", "SookeClient")]
                + (request.allHTTPHeaderFields ?? [:]).map({ ($0, $1) })
            {
                list = library.append(list, "\(name): \(value)".filter { !$0.isNewline }) ?? list
            }
            for (option, value) in Self.numbers { _ = library.setNumber(handle, option, value) }
            setText(handle, Self.url, url.absoluteString)
            setText(handle, Self.method, request.httpMethod ?? "GET")
            if let certificates = Self.certificates { setText(handle, Self.certificateFile, certificates) }
            _ = library.setPointer(handle, Self.fields, list)
            setCallbacks(handle, context)
            let code = library.perform(handle)
            if sockets.isCancelled { throw CancellationError() }
            if code != 0, !context.isDone { throw error(code) }
        }

        private func setText(_ handle: CurlLibrary.Handle, _ option: Int32, _ text: String) {
            _ = text.withCString { library.setPointer(handle, option, $0) }
        }

        private func setCallbacks(_ handle: CurlLibrary.Handle, _ context: Context) {
            typealias Receive = @convention(c) (UnsafeMutableRawPointer?, Int, Int, UnsafeMutableRawPointer?) -> Int
            typealias Open = @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<Int32>?) -> Int32
            typealias Close = @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32
            let write: Receive = { CurlExchange.take($0, $1 * $2, $3) { $0.takeBody($1) } }
            let header: Receive = { CurlExchange.take($0, $1 * $2, $3) { $0.takeLine($1) } }
            // The address begins with its family, its type and its protocol.
            let open: Open = { context, _, address in
                guard let context = CurlExchange.context(context), let address else { return -1 }
                return context.sockets.open(address[0], address[1], address[2])
            }
            let close: Close = { context, descriptor in
                CurlExchange.context(context)?.sockets.close(descriptor)
                return 0
            }
            let functions: [(Int32, UnsafeRawPointer)] = [
                (Self.write, unsafeBitCast(write, to: UnsafeRawPointer.self)),
                (Self.header, unsafeBitCast(header, to: UnsafeRawPointer.self)),
                (Self.open, unsafeBitCast(open, to: UnsafeRawPointer.self)),
                (Self.close, unsafeBitCast(close, to: UnsafeRawPointer.self)),
            ]
            for (option, function) in functions { _ = library.setPointer(handle, option, function) }
            for option in Self.data {
                _ = library.setPointer(handle, option, Unmanaged.passUnretained(context).toOpaque())
            }
        }

        private static func context(_ pointer: UnsafeMutableRawPointer?) -> Context? {
            pointer.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
        }

        /// - Returns: how many bytes were taken; fewer than there are end the transfer.
        private static func take(
            _ bytes: UnsafeMutableRawPointer?, _ count: Int, _ pointer: UnsafeMutableRawPointer?,
            _ body: (Context, UnsafeRawBufferPointer) -> Bool
        ) -> Int {
            guard count > 0 else { return 0 }
            guard let context = context(pointer), !context.sockets.isCancelled else { return 0 }
            return body(context, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }

        private func error(_ code: Int32) -> URLError {
            let message = library.describe(code).map { String(cString: $0) } ?? "curl failed with \(code)"
            let kind: URLError.Code =
                switch code {
                case 5, 6: .cannotFindHost
                case 7, 28: .cannotConnectToHost
                case 8, 23: .badServerResponse
                case 35: .secureConnectionFailed
                case 60: .serverCertificateUntrusted
                default: .networkConnectionLost
                }
            return URLError(kind, userInfo: [NSLocalizedDescriptionKey: message])
        }
    }

    extension CurlExchange.Context {
        fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
            isDone = !receiver.takeBody(bytes)
            return !isDone
        }

        /// False when no more is wanted. curl limits the length of a line.
        fileprivate func takeLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
            let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if line.isEmpty {
                defer { fields = [] }
                // Neither an interim response nor the trailer of a body.
                guard status >= 200 else { return true }
                isDone = !receiver.takeHead(status, fields)
                status = 0
                return !isDone
            }
            if line.hasPrefix("HTTP/") {
                let words = line.split(separator: " ")
                (status, fields) = (words.count > 1 ? Int(words[1]) ?? 0 : 0, [])
            } else if let colon = line.firstIndex(of: ":") {
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                fields.append((String(line[..<colon]), value))
            }
            return true
        }
    }

    /// The functions of libcurl that a transfer needs. The library is in each process with FoundationNetworking, but
    /// its headers are not on each machine, so they are found by name.
    ///
    /// `curl_easy_setopt` takes a varying number of arguments, which Linux passes as those of any function.
    struct CurlLibrary: Sendable {
        typealias Handle = UnsafeMutableRawPointer
        typealias Make = @convention(c) () -> Handle?
        typealias SetNumber = @convention(c) (Handle, Int32, Int) -> Int32
        typealias SetPointer = @convention(c) (Handle, Int32, UnsafeRawPointer?) -> Int32
        typealias Perform = @convention(c) (Handle) -> Int32
        typealias End = @convention(c) (Handle?) -> Void
        typealias Append = @convention(c) (Handle?, UnsafePointer<CChar>) -> Handle?
        typealias Describe = @convention(c) (Int32) -> UnsafePointer<CChar>?

        let make: Make
        let setNumber: SetNumber
        let setPointer: SetPointer
        let perform: Perform
        let clean: End
        let append: Append
        let free: End
        let describe: Describe

        static let shared = CurlLibrary(nil) ?? dlopen("libcurl.so.4", RTLD_NOW).flatMap { CurlLibrary($0) }

        private init?(_ library: UnsafeMutableRawPointer?) {
            func find<Function>(_ name: String, _: Function.Type) -> Function? {
                dlsym(library, name).map { unsafeBitCast($0, to: Function.self) }
            }
            guard let make = find("curl_easy_init", Make.self),
                let setNumber = find("curl_easy_setopt", SetNumber.self),
                let setPointer = find("curl_easy_setopt", SetPointer.self),
                let perform = find("curl_easy_perform", Perform.self), let clean = find("curl_easy_cleanup", End.self),
                let append = find("curl_slist_append", Append.self), let free = find("curl_slist_free_all", End.self),
                let describe = find("curl_easy_strerror", Describe.self)
            else { return nil }
            (self.make, self.setNumber, self.setPointer, self.perform) = (make, setNumber, setPointer, perform)
            (self.clean, self.append, self.free, self.describe) = (clean, append, free, describe)
        }
    }
#endif
