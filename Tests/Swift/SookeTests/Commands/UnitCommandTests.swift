import Testing

@testable import sooke

/// What the options change in the unit. Its whole effect is checked by `Tests/Binary/Recipes`, and by systemd itself.
@Suite struct UnitCommandTests {
    private func unit(_ words: [String]) throws -> (code: ExitCode, lines: [String], errors: String) {
        let captured = try CapturedConsole(["SOOKE_DATA": "/elsewhere", "PORT": "1", "HOST": "::"])
        let code = Program.sooke.run(["unit"] + words, on: captured.console)
        let lines = try captured.outputText().split(separator: "\n").map(String.init)
        return (code, lines, try captured.errorsText())
    }

    /// A user of its own that reaches the socket of the server, and the mail server wherever it is.
    @Test func printsTheServiceThatSendsMail() throws {
        let lines = try unit(["--outside", "--user", "town", "--data", "/srv/otter"]).lines
        for line in [
            "User=town-outside", "SupplementaryGroups=town", "InaccessiblePaths=-/srv/otter", "PrivateUsers=yes",
            "EnvironmentFile=-/etc/default/sooke-outside", "RestartPreventExitStatus=64 66 78",
        ] { #expect(lines.contains(line), "\(line)") }
        let start = lines.first { $0.hasPrefix("ExecStart=") }
        #expect(start?.hasSuffix(" outside --follow --socket /run/otter/outside.sock $SOOKE_OUTSIDE_OPTIONS") == true)
        #expect(!lines.contains { $0.hasPrefix("IPAddress") || $0.hasPrefix("StateDirectory") })
        #expect(try unit(["--data", "/srv/otter"]).lines.contains("RuntimeDirectory=otter"))
    }

    /// The arguments of the server, and lines that are there.
    @Test(arguments: [
        (
            "", "--data /var/lib/sooke --proxy 127.0.0.1",
            [
                "User=sooke", "StateDirectory=sooke", "StateDirectoryMode=0700", "ProtectHome=yes",
                "IPAddressDeny=any", "IPAddressAllow=localhost", "CapabilityBoundingSet=", "PrivateUsers=yes",
                "After=network.target", "LimitCORE=0", "MemoryMax=75%", "TasksMax=512", "Restart=always",
                "EnvironmentFile=-/etc/default/sooke",
            ]
        ),
        (
            "--url https://town.example --time-zone Europe/Paris --proxy ::1 --proxy 10.0.0.1",
            "--data /var/lib/sooke --url https://town.example --proxy ::1 --proxy 10.0.0.1 "
                + "--time-zone Europe/Paris --cors-origin https://town.example",
            []
        ),
        (
            "--url https://a.example --cors-origin https://b.example --cors-origin https://c.example",
            "--data /var/lib/sooke --url https://a.example --proxy 127.0.0.1 "
                + "--cors-origin https://b.example --cors-origin https://c.example",
            []
        ),
        (
            "--host 0.0.0.0 --port 80 --user town", "--data /var/lib/sooke --host 0.0.0.0 --port 80 --proxy 127.0.0.1",
            [
                "User=town", "CapabilityBoundingSet=CAP_NET_BIND_SERVICE", "AmbientCapabilities=CAP_NET_BIND_SERVICE",
                "PrivateUsers=no", "After=network-online.target",
            ]
        ),
        (
            "--data /var/lib/towns/sooke/", "--data /var/lib/towns/sooke --proxy 127.0.0.1",
            ["StateDirectory=towns/sooke"]
        ),
        ("--data /srv/50%", "--data /srv/50%% --proxy 127.0.0.1", ["ReadWritePaths=/srv/50%%", "ProtectHome=yes"]),
        ("--data /var/lib/a:b", "--data /var/lib/a:b --proxy 127.0.0.1", ["ReadWritePaths=/var/lib/a:b"]),
        ("--data /home/a/t", "--data /home/a/t --proxy 127.0.0.1", ["BindPaths=/home/a/t", "ProtectHome=tmpfs"]),
    ])
    func prints(line: String, arguments: String, lines: [String]) throws {
        let result = try unit(line.split(separator: " ").map(String.init))
        #expect(result.code == .success)
        let start = try #require(result.lines.first { $0.hasPrefix("ExecStart=") })
        #expect(start.hasSuffix(" serve \(arguments) $SOOKE_OPTIONS"))
        for line in lines { #expect(result.lines.contains(line), "\(line)") }
        let isLocal = !line.contains("--host")
        #expect(result.lines.contains { $0.hasPrefix("IPAddress") } == isLocal)
        #expect(result.lines.contains { $0.hasPrefix("StateDirectory") } == !lines.contains { $0.contains("Paths=") })
    }

    @Test func backsUp() throws {
        let lines = try unit(["--backups", "service", "--data", "/srv/town", "--backup-dir", "/mnt/50%/"]).lines
        let backup = "backup --data /srv/town"
        let starts = [
            "\(backup) --if-changed --keep 60 /mnt/50%%/now-%%Y-%%m-%%d-%%H%%M%%S.json",
            "\(backup) --if-missing --keep 14 /mnt/50%%/town-%%Y-%%m-%%d.json",
            "\(backup) --check --if-missing /mnt/50%%/now-%%Y-%%m-%%d-%%H%%M%%S.json",
        ]
        #expect(lines.filter { $0.hasPrefix("ExecStart=") }.map { String($0.drop { $0 != " " }.dropFirst()) } == starts)
        let expected = [
            "Type=oneshot", "User=sooke", "ReadWritePaths=-/mnt/50%%", "ReadWritePaths=/srv/town", "LogLevelMax=notice",
            "NoNewPrivileges=yes", "IPAddressDeny=any",
        ]
        for line in expected { #expect(lines.contains(line), "\(line)") }
        #expect(!lines.contains("[Install]"), "the timer starts it")
        let timer = try unit(["--backups", "timer"]).lines
        #expect(timer.contains("OnCalendar=minutely") && timer.last == "WantedBy=timers.target")
    }

    @Test func quotesAFolder() throws {
        let lines = try unit(["--data", "/srv/a \"town\" of $5"]).lines
        #expect(lines.contains("ReadWritePaths=\"/srv/a \\\"town\\\" of $5\""))
        #expect(
            try #require(lines.first { $0.hasPrefix("ExecStart=") }).contains("--data \"/srv/a \\\"town\\\" of $$5\""))
    }

    @Test(arguments: [
        ["--data", "town"], ["--data", "/"], ["--data", "/tmp/town"], ["--data", "/var/tmp/"],
        ["--data", "/srv/../etc"],
        ["--data", "/srv/a\nUser=root"], ["--port", "0"], ["--user", "root"], ["--user", "a b"],
        ["--user", "5"], ["--host", "town.example"], ["--proxy", "%h"],
        ["--binary", "sooke"], ["--backup-dir", "/tmp/backups"], ["--backups", "cron"],
    ])
    func refuses(words: [String]) throws {
        let result = try unit(words)
        #expect(result.code == .usage)
        #expect(result.lines.isEmpty)
        #expect(result.errors.hasPrefix("sooke: \(words[0]) takes "))
    }
}
