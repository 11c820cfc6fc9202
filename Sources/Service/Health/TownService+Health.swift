import Bytes
import Platform
import SookeModel
import Store

/// Whether a town is well. Each finding takes its facts from where they are anyway: nothing is stored of it.
extension TownService {
    private static let day = 86_400
    private static let restart = "systemctl restart sooke"

    /// - Parameter isServed: false for a folder without a server, of which nobody knows whether its mail is sent.
    package func findings(in town: Town, build: String, isServed: Bool = true) -> [HealthFinding] {
        let way = store.formatBackup.map {
            " The file \($0) has the town as the earlier version of sooke left it. Delete it when you no longer want "
                + "to go back to that version."
        }
        let last = lastBackup?()
        let all = [
            changes, files, disk, last.map(backup), last.flatMap(restore), history, zoneData, holidays(in: town),
            isServed ? mail(in: town) : nil, calendars(in: town, isServed), waiting(in: town), people(in: town),
            HealthFinding(.version, .fine, "\(build).\(way ?? "")"),
        ]
        return all.compactMap(\.self)
    }

    private func age(_ time: Timestamp) -> Int { clock().seconds - time.seconds }

    private func ago(_ time: Timestamp) -> String { FormattedNumber.ago(seconds: age(time)) }

    private func state(_ value: Int, attention: Int, broken: Int) -> HealthFinding.State {
        value >= broken ? .broken : value >= attention ? .attention : .fine
    }

    /// `2026-11-25 09:30 UTC`
    private func minute(_ time: Timestamp) -> String {
        "\(time.rfc3339.prefix(16).split(separator: "T").joined(separator: " ")) UTC"
    }

    /// ` --data FOLDER`
    private var data: String { " --data \(ShellWord.quoted(store.folder))" }

    private var changes: HealthFinding {
        if let failure = store.problems.writes {
            return HealthFinding(
                .changes, .broken, "Nothing can be changed: \(failure).",
                "Make room on the disk of the data folder; then it goes on by itself.", "df -h")
        }
        guard let state = store.readOnly else { return HealthFinding(.changes, .fine, "They are stored.") }
        let since = state.since.map { " since \(minute($0))" } ?? ""
        return HealthFinding(
            .changes, .broken, "The town is read-only\(since)\(state.reason.map { ": \($0)" } ?? "").",
            "Nobody can change anything or log in. To end that:", "sooke read-only off" + data)
    }

    private var files: HealthFinding {
        if let trouble = store.problems.snapshots {
            return HealthFinding(
                .files, .broken, "\(trouble.detail).", "Make room on the disk, and try again:", "sooke snapshot" + data)
        }
        let damage = store.problems.files
        return HealthFinding(
            .files, damage == nil ? .fine : .broken, damage.map { "\($0.detail)." } ?? "No damage is known.",
            "The town is served as before. See what is damaged; a backup, or `sooke repair`, has the rest:",
            "sooke verify" + data)
    }

    /// Far from full, so that somebody has time to make room before a write is refused (507).
    private var disk: HealthFinding? {
        guard let free = FileDescriptor.freeBytes(at: store.folder) else { return nil }
        return HealthFinding(
            .disk, state(-free, attention: -1_000_000_000, broken: -250_000_000),
            "\(FormattedNumber.bytes(free)) are free on the disk of the data folder.",
            "When it is full, nothing can be changed. See what takes the room:", "du -xh / | sort -h | tail")
    }

    private func backup(_ last: LastBackup) -> HealthFinding {
        let good = last.at.map { "The last one was \(ago($0))." } ?? "There is none yet."
        if let failure = last.failure {
            return HealthFinding(
                .backup, .broken, "A backup failed \(ago(failure.at)): \(failure.reason). \(good)",
                "Mend what is named there, then try again:", "systemctl start sooke-backup")
        }
        return HealthFinding(
            .backup, state(last.at.map(age) ?? .max, attention: 26 * 3600, broken: 50 * 3600), good,
            "Let the server make one every minute, and see whether it does:",
            "systemctl enable --now sooke-backup.timer; systemctl status sooke-backup")
    }

    private func restore(_ last: LastBackup) -> HealthFinding? {
        guard last.at != nil || last.check != nil else { return nil }
        guard let check = last.check else {
            return HealthFinding(
                .restore, .attention, "Nobody has tried whether a backup restores.",
                "The service for backups of this version does it every day. Renew it:",
                "sooke unit --backups service > /etc/systemd/system/sooke-backup.service")
        }
        return HealthFinding(
            .restore, check.isGood ? state(age(check.at), attention: 50 * 3600, broken: .max) : .broken,
            "\(check.isGood ? "Tried" : "The newest backup does not restore, tried") \(ago(check.at)): \(check.text).",
            "It is tried each day, and again after a new backup. Look at the disk that has them, and try again:",
            "systemctl start sooke-backup")
    }

    private var history: HealthFinding {
        let extent = store.historyExtent
        let limit = extent.limitBytes.map { $0 == .max ? "" : " of at most \(FormattedNumber.bytes($0))" } ?? ""
        let reach = extent.reason == .size ? extent.since.map(age) : extent.retentionSeconds
        return HealthFinding(
            .history, state(-(reach ?? .max), attention: -7 * Self.day + 1, broken: -Self.day + 1),
            "Any time since \(extent.since.map(minute) ?? "the beginning") can be restored "
                + "(\(FormattedNumber.bytes(extent.bytes))\(limit)).",
            "It is soon cut; what was lost earlier is only in backups. Keep more, by /etc/default/sooke:",
            "SOOKE_OPTIONS=\(extent.reason == .size ? "--keep-history-size 4096" : "--keep-history 30")")
    }

    private var zoneData: HealthFinding {
        let install = "apt-get install tzdata && \(Self.restart)"
        let unstored = store.problems.unstoredTimes
        let wait = unstored == 0 ? "" : " New times of \(Count(unstored, "event")) wait until the town can be changed."
        let now = zones.versionNow()
        if zones.knownVersion != nil, now == nil {
            return HealthFinding(
                .zoneData, .broken, "The zone data \(zones.version) are in use, but gone from the machine.\(wait)",
                "The next start needs them. Install them again:", install)
        }
        if let warning = zoneDataWarning {
            let state = zones.isOlder(than: lastZoneData) ? HealthFinding.State.broken : .attention
            return HealthFinding(.zoneData, state, "\(warning.sentence)\(wait)", "That is:", install)
        }
        let isNew = now != nil && now != zones.version
        return HealthFinding(
            .zoneData, isNew ? .attention : .fine,
            "Version \(zones.version)\(isNew ? ", and the machine has \(now ?? "")" : "").\(wait)",
            "Clocks may have new rules. Let the server read them:", Self.restart)
    }

    private func holidays(in town: Town) -> HealthFinding {
        let clocks = clocks(of: town)
        guard let end = clocks.holidays.lastDate else {
            return HealthFinding(.holidays, .fine, "They are known for each year.")
        }
        let past = clocks.zone.localDate(at: clock()).date.daysSinceEpoch - end.daysSinceEpoch
        return HealthFinding(
            .holidays, state(past, attention: -60, broken: 1), "They are known until \(end.text).",
            "After that, hours that depend on holidays are unknown. Get the calendar of the next years:",
            "sooke town --holidays NEXT.ics" + data)
    }

    private func mail(in town: Town) -> HealthFinding {
        let status = mailStatus(in: town)
        if !status.isSending {
            return HealthFinding(
                .mail, status.address == nil ? .attention : .broken, status.text.sentence,
                "Nobody gets e-mail, and you pass links on yourself. Set --mail in /etc/default/sooke-outside, then:",
                "systemctl enable sooke-outside; systemctl restart sooke-outside")
        }
        return HealthFinding(
            .mail, status.trouble == nil ? .fine : .broken,
            (status.trouble.map { "The last message was not sent: \($0). " } ?? "") + status.text.sentence,
            "Check the account at the mail provider and /etc/default/sooke-outside. Then send a test.")
    }

    /// Nil for a town without any.
    private func calendars(in town: Town, _ isServed: Bool) -> HealthFinding? {
        let all = town.calendars.inOrderOfID.filter { !$0.isPaused }
        if all.isEmpty { return nil }
        if isServed, !fetches.isFollowed {
            return HealthFinding(
                .calendars, .broken, "Nothing fetches them.", "Their events are as they were. Start what does:",
                "systemctl enable sooke-outside; systemctl restart sooke-outside")
        }
        let failing = all.filter { $0.hasFailedLong(at: clock()) }
        let reasons = failing.prefix(3).map { "“\($0.name)” (\($0.words ?? "no answer"))" }.joined(separator: ", ")
        return HealthFinding(
            .calendars, failing.isEmpty ? .fine : .attention,
            failing.isEmpty
                ? "\(Count(all.count, "calendar")) fetched." : "\(failing.count) failing for three days: \(reasons).",
            "Their events are as they were. Ask who runs them, or give each its new address, or pause it.")
    }

    private func waiting(in town: Town) -> HealthFinding {
        let count = town.eventCount(of: .pendingReview) + town.proposals.openCount
        let times = [town.firstEvent(of: .pendingReview)?.value.times.created, town.proposals.firstOpen?.sentAt]
        guard let oldest = times.compactMap(\.self).min() else {
            return HealthFinding(.waiting, .fine, "Nothing to review.")
        }
        return HealthFinding(
            .waiting, state(age(oldest), attention: 3 * Self.day, broken: 14 * Self.day),
            "\(Count(count, "thing")) to review; the oldest was sent \(ago(oldest)).",
            "Their senders hear nothing meanwhile. Decide on them.")
    }

    private func people(in town: Town) -> HealthFinding {
        let sessions = town.people.inOrderOfID.map { self.sessions(of: $0.id, in: town).count }
        let admins = town.people.inOrderOfID.count { $0.role == .superAdmin }
        let (people, devices) = (sessions.count { $0 > 0 }, sessions.reduce(0, +))
        return HealthFinding(
            .people, .fine,
            "\(Count(admins, "administrator")). Logged in: \(Count(people, "account")), on \(Count(devices, "device"))."
        )
    }
}

extension String {
    fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
