/// The plans of a schedule in one array, as `OpeningSchedule` describes it.
struct SchedulePlans {
    /// What a compiled schedule consists of.
    struct Traits: OptionSet {
        let rawValue: UInt8

        /// A pattern has seven more plans, for holidays.
        static let holidays = Traits(rawValue: 1)
        /// There are several patterns, by dates.
        static let seasons = Traits(rawValue: 2)
        /// Nothing ever changes.
        static let isConstant = Traits(rawValue: 4)
    }

    /// What holds at a time of a day, and why.
    struct Cause {
        let rawValue: UInt16

        init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// - Parameter comment: 0 for none, 1 for the name of the holiday, from 2 on a comment of a rule.
        init(_ kind: HoursRule.Kind, _ reason: OpenState.Reason, comment: Int, isOpenEnded: Bool = false) {
            let status: UInt16 = kind == .closed ? 0 : kind == .open ? 1 : 2
            let code = UInt16(Self.reasons.firstIndex(of: reason) ?? 0)
            rawValue = status | (isOpenEnded ? 4 : 0) | code << 3 | UInt16(comment) << 5
        }

        /// Closed by no rule.
        static let none = Cause(rawValue: 0)
        static let holidayName = 1
        static let firstComment = 2
        static let mostComments = 2000
        private static let reasons: [OpenState.Reason] = [.regular, .special, .holiday, .unknown]

        var isOpen: Bool { rawValue & 3 == 1 }
        var isUnknown: Bool { rawValue & 3 == 2 }
        var status: OpenState.Status { rawValue & 3 == 0 ? .closed : isOpen ? .open : .unknown }
        /// Whether it is open until an end that is not known.
        var isOpenEnded: Bool { rawValue & 7 == 1 | 4 }
        /// Whether it is the time after an end that is not known.
        var isTail: Bool { rawValue & 7 == 2 | 4 }
        var reason: OpenState.Reason { Self.reasons[Int(rawValue >> 3 & 3)] }
        var comment: Int { Int(rawValue >> 5) }
    }

    /// What holds at a minute of a day, and until which minute of it.
    struct Place {
        let cause: Cause
        /// At most 1440.
        let end: Int
    }

    var words: [UInt16] = []
    var traits: Traits = []

    /// Longer arrays are not made; their places would be too large for a word.
    static let mostWords = 20_000

    /// Whether each week is the same, with its holidays.
    var isWeekly: Bool { traits.isDisjoint(with: [.seasons, .holidays]) }

    // MARK: - Reading

    func plan(of day: HoursDay) -> Int {
        let pattern = traits.contains(.seasons) ? self.pattern(of: day) : 0
        return Int(words[pattern + day.dayOfWeek + (day.isHoliday && traits.contains(.holidays) ? 7 : 0)])
    }

    /// The place of the pattern of a day, of several.
    private func pattern(of day: HoursDay) -> Int {
        var (low, high) = (0, Int(words[0]) - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if firstDay(ofAge: middle) <= day.number { low = middle } else { high = middle - 1 }
        }
        let seasons = Int(words[3 + low * 3])
        let count = Int(words[seasons])
        if count == 1 { return Int(words[seasons + 2]) }
        let monthDay = day.date.monthDay
        // The last season of a year goes on in the next one.
        var found = count - 1
        for season in 0..<count where words[seasons + 1 + season * 2] <= monthDay { found = season }
        return Int(words[seasons + 2 + found * 2])
    }

    private func firstDay(ofAge age: Int) -> Int {
        let place = 1 + age * 3
        return Int(Int32(bitPattern: UInt32(words[place]) << 16 | UInt32(words[place + 1])))
    }

    /// What holds at a minute. The plan of the day decides before what began the day before, unless it does not know. What
    /// may still be open from the day before is no longer when the day has opened and closed.
    func place(today: Int, yesterday: Int, minute: Int) -> Place {
        var (next, cause) = (1440, words[today + 1])
        var (part, closed) = (today + 2, Int.min)
        let end = part + Int(words[today]) * 3
        while part < end {
            if minute < words[part] {
                next = min(Int(words[part]), 1440)
                break
            }
            if minute < words[part + 1] {
                (next, cause) = (min(Int(words[part + 1]), 1440), words[part + 2])
                if Cause(rawValue: cause).isOpen { return Place(cause: Cause(rawValue: cause), end: next) }
                break
            }
            closed = Int(words[part + 1]) + 1440
            part += 3
        }
        let late = minute + 1440
        part = yesterday - 1 + Int(words[yesterday]) * 3
        while part > yesterday, words[part + 1] > late {
            if words[part] <= late {
                if closed > words[part], Cause(rawValue: words[part + 2]).isTail { break }
                next = min(next, Int(words[part + 1]) - 1440)
                let earlier = Cause(rawValue: words[part + 2])
                if earlier.isOpen || !Cause(rawValue: cause).isUnknown { return Place(cause: earlier, end: next) }
                break
            }
            next = min(next, Int(words[part]) - 1440)
            part -= 3
        }
        return Place(cause: Cause(rawValue: cause), end: next)
    }
}
