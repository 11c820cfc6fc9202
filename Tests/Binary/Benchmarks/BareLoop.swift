// The ceiling: one thread that waits with epoll, reads until a request ends, and sends the next of a fixed list of
// answers. It looks at nothing and keeps nothing.
//
// usage: bare-loop FILE
//
// The file holds the answers, heads and bodies, each after a line with its length. The first line printed is the port.

import CSystem
import Glibc

/// Reads the answers from the file.
func answers(in path: String) -> [[UInt8]] {
    guard let file = fopen(path, "r") else { fatalError("\(path) cannot be read") }
    var answers: [[UInt8]] = []
    var digits = [CChar](repeating: 0, count: 16)
    while fgets(&digits, 16, file) != nil {
        answers.append([UInt8](repeating: 0, count: atol(digits)))
        fread(&answers[answers.count - 1], 1, answers[answers.count - 1].count, file)
    }
    return answers
}

/// A socket on a free port of 127.0.0.1, and the port.
func listening() -> (socket: CInt, port: UInt16) {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            precondition(bind(listener, address, size) == 0 && listen(listener, 1024) == 0, "no port is free")
            getsockname(listener, address, &size)
        }
    }
    return (listener, UInt16(bigEndian: address.sin_port))
}

/// Makes epoll wait for what can be read of a descriptor.
func watch(_ descriptor: CInt, with poller: CInt) {
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: descriptor))
    epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event)
}

/// Answers for ever.
func serve(_ answers: [[UInt8]], on listener: CInt) -> Never {
    let poller = epoll_create1(0)
    watch(listener, with: poller)
    var events = [epoll_event](repeating: epoll_event(), count: 256)
    var input = [UInt8](repeating: 0, count: 16_384)
    let end: [UInt8] = [13, 10, 13, 10]
    var turn = 0
    while true {
        let count = epoll_wait(poller, &events, CInt(events.count), -1)
        for event in events.prefix(max(0, Int(count))) {
            let descriptor = event.data.fd
            guard descriptor != listener else {
                let connection = accept4(listener, nil, nil, CInt(SOCK_NONBLOCK.rawValue))
                var isOn: CInt = 1
                setsockopt(connection, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
                watch(connection, with: poller)
                continue
            }
            let received = recv(descriptor, &input, input.count, 0)
            if received <= 0 {
                close(descriptor)
            } else if received >= 4, input[received - 4..<received].elementsEqual(end) {
                // An answer is small enough for the buffer of the socket.
                precondition(send(descriptor, answers[turn], answers[turn].count, 0) == answers[turn].count)
                turn = turn + 1 == answers.count ? 0 : turn + 1
            }
        }
    }
}

signal(SIGPIPE, SIG_IGN)
let (listener, port) = listening()
print(port)
fflush(nil)
serve(answers(in: CommandLine.arguments[1]), on: listener)
