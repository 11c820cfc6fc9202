import Bytes
import Dispatcher
import HTTP
import Service
import SookeModel
import Store

enum HoursPage: FormPage {
    static let path = "/account/businesses/{slug}/hours"
    static let parameters = ["done"]

    private static let dayNames = Array(Words.mondayFirst)
    private static let (chosen, all, set) = ("days", "all", "set")

    static func page(_ view: View, _ state: FormState) throws -> WebPage {
        let business = try OwnBusiness.find(view.call, in: view.town)
        let form = HoursForm(view)
        let texts = Dictionary(uniqueKeysWithValues: form.texts(of: business).map { ($0.name, $0.text) })
        return WebPage(
            "Hours of \(business.name)", .task, tab: .account, topics: ["business", "settings"],
            main: """
                \(OwnBusiness.head(business, "Hours", view))\(OwnBusiness.confirmation(of: business, view))\
                <div class="two"><form class="form" method="post" \
                novalidate data-draft="\(view.drafts)" data-look="look">\
                \(state.summary(labels(form)))\(FormState.firstButton("Save hours"))\
                \(usual(business, state, texts, view))\
                \(holidays(form, business, state, texts, view))\(others(business, form, state, view))\
                \(FormState.sending("Save hours"))</form>\(preview(of: business, form, state, view))</div>
                """)
    }

    private static func labels(_ form: HoursForm) -> [String: String] {
        var labels = Dictionary(uniqueKeysWithValues: zip(HoursForm.days, dayNames.map { $0 + ":" }))
        for holiday in form.holidays { labels[holiday.field] = holiday.name + ":" }
        labels.merge(
            [
                HoursForm.standing: "Public holidays:", all: "Hours of several days:", HoursForm.rule: "Usual hours:",
                "from": "First day", "to": "Last day", "special": "Hours of these days:", "reason": "Reason",
            ]) { first, _ in first }
        return labels
    }

    private static func usual(
        _ business: BusinessRecord, _ state: FormState, _ texts: [String: String], _ view: View
    ) -> HTML {
        guard HoursForm.isWeek(business.value) else {
            let field = FormField(
                name: HoursForm.rule, label: "Usual hours, as a rule",
                hint:
                    "These hours are more than a week can show, such as seasons or holidays. Change them with care, or "
                    + "write a week instead, such as Mon-Fri 9-5, Sat 10-4.",
                shown: texts[HoursForm.rule] ?? "", control: .lines(3), isMerged: true)
            return field.markup(state)
        }
        return """
            <fieldset><legend>Set several days at once</legend><div \
            class="days">\(each: HoursForm.days.indices, { index in
                """
                <label class="chip"><input type="checkbox" name="days" value="\(HoursForm.days[index])"\
                \(attribute: "checked", if: state.isTicked(chosen, HoursForm.days[index]))>\
                <span aria-hidden="true">\(String(dayNames[index].prefix(1)))</span>\
                <span class="hidden">\(dayNames[index])</span></label>
                """
            })</div><div class="field"><label class="hidden" for="all">Hours of these days</label><div class="search">\
            <input id="all" name="all" value="\(state.text(all))" placeholder="9 to 5, or 11:30-2, 5-10, or closed" \
            autocapitalize="off" autocomplete="off"><button class="quiet" name="set" value="yes">Set</button></div>\
            \(problem(all, state))</div></fieldset>\
            <fieldset><legend>Usual week</legend><p class="hint">Write the hours as on the door. Leave a day \
            empty if you do not know.</p>\
            <ol class="hours">\(each: HoursForm.days.indices, { day($0, state, texts, view) })</ol></fieldset>
            """
    }

    private static func day(_ index: Int, _ state: FormState, _ texts: [String: String], _ view: View) -> HTML {
        let name = HoursForm.days[index]
        let field = FormField(name: name, label: dayNames[index], shown: texts[name] ?? "", isMerged: true)
        if state.conflict(about: name) != nil { return "<li class=\"whole\">\(field.markup(state))</li>" }
        return """
            <li><label for="\(name)"><span aria-hidden="true">\(String(dayNames[index].prefix(3)))</span>\
            <span class="hidden">\(dayNames[index])</span></label>\(line(field, state, view))</li>
            """
    }

    private static func line(_ field: FormField, _ state: FormState, _ view: View) -> HTML {
        let text = state.text(field.name, field.shown)
        return """
            <input id="\(field.name)" name="\(field.name)" value="\(text)" autocapitalize="off" autocomplete="off" \
            enterkeyhint="next" \
            aria-describedby="\(field.name)-said"\(attribute: "autofocus", if: state.focus == field.name)\
            \(attribute: "aria-invalid=\"true\"", if: state.problem(of: field.name) != nil)>\
            <span id="\(field.name)-said" data-said>\(said(text, field.name, state, view))</span>\(field.before(state))
            """
    }

    private static func said(_ text: String, _ name: String, _ state: FormState, _ view: View) -> HTML {
        if let problem = state.problem(of: name) { return "<span class=\"problem\">\(problem)</span>" }
        let times = try? HoursNotation.times(text, has24Hours: view.town.settings.has24Hours)
        guard let times, !times.isEmpty else { return "" }
        return "<span class=\"echo\">\(times.map(view.words.span).joined(separator: ", "))</span>"
    }

    private static func problem(_ name: String, _ state: FormState) -> HTML {
        "\(if: state.problem(of: name), { "<span class=\"problem\">\($0)</span>" })"
    }

    private static func holidays(
        _ form: HoursForm, _ business: BusinessRecord, _ state: FormState, _ texts: [String: String], _ view: View
    ) -> HTML {
        if form.holidays.isEmpty { return "" }
        return """
            \(standing(business, state, texts))\
            <fieldset><legend>Holidays ahead</legend><ol class="hours">\(each: form.holidays, { holiday in
                let shown = texts[holiday.field] ?? ""
                return #"<li class="whole">\#(self.holiday(holiday, in: form, of: business, state, shown, view))</li>"#
            })</ol></fieldset>
            """
    }

    /// What holds on all holidays. Nothing is chosen before anyone says it.
    private static func standing(_ business: BusinessRecord, _ state: FormState, _ texts: [String: String]) -> HTML {
        let name = HoursForm.standing
        // A rule with hours for holidays counts instead.
        if texts[HoursForm.rule] != nil, business.value.holidayRule != nil { return "" }
        let field = FormField(name: name, label: "Public holidays", shown: texts[name] ?? "", isMerged: true)
        if state.conflict(about: name) != nil { return field.markup(state) }
        let options = [("closed", "Closed"), ("as_usual", "Open as usual"), ("ask", "Ask me each time")]
        let chosen = state.text(name, field.shown)
        return choice(name, "On all public holidays", options, chosen, "", state, field.before(state))
    }

    /// Asks an owner, all together, for what nobody has said of the holidays ahead.
    static func holidayCard(of business: BusinessRecord, _ view: View) -> HTML {
        let last = view.words.today.advanced(by: ConfirmationsDue.daysAhead)
        let form = HoursForm(view)
        let asked = form.holidays.filter { $0.date <= last && business.isUnconfirmed(on: $0.date, at: view.hours) }
        if asked.isEmpty { return "" }
        let texts = Dictionary(uniqueKeysWithValues: form.texts(of: business).map { ($0.name, $0.text) })
        return """
            <form class="card" method="post" action="/account/businesses/\(path: business.slug.text)/hours" \
            data-key="holidays"><h2>Open on these holidays?</h2><p class="soft">Until you answer, your page says that \
            these hours are not \
            confirmed.</p>\(each: asked, { holiday($0, in: form, of: business, FormState(), "", view) })\
            \(standing(business, FormState(), texts))<div \
            class="actions"><button>Save</button></div></form>
            """
    }

    private static func holiday(
        _ holiday: HoursForm.Holiday, in form: HoursForm, of business: BusinessRecord, _ state: FormState,
        _ shown: String, _ view: View
    ) -> HTML {
        let field = FormField(name: holiday.field, label: holiday.name, shown: shown, isMerged: true)
        if state.conflict(about: holiday.field) != nil { return field.markup(state) }
        let text = state.text(holiday.field, shown)
        let usual = form.usualText(on: holiday.date, of: business, at: view.hours)
        let choice =
            [("", ""), (OtherDays.closed, OtherDays.closed), (usual ?? "", OtherDays.usual)].first { $0.0 == text }?.1
            ?? OtherDays.other
        var options = [(OtherDays.closed, "Closed"), (OtherDays.other, "Other")]
        if let usual, usual != OtherDays.closed { options.insert((OtherDays.usual, "As usual, \(usual)"), at: 0) }
        let legend: HTML = "\(holiday.name) <span class=\"soft\">\(view.words.shortDate(holiday.date))</span>"
        return self.choice(holiday.field, legend, options, choice, text, state, field.before(state))
    }

    private static func choice(
        _ name: String, _ legend: HTML, _ options: [(String, String)], _ chosen: String, _ text: String,
        _ state: FormState,
        _ before: HTML = ""
    ) -> HTML {
        let other: HTML = """
            <div class="other"><label class="hint" for="\(name + OtherDays.hours)">Hours, if other</label>\
            <input id="\(name + OtherDays.hours)" name="\(name + OtherDays.hours)" \
            value="\(chosen == OtherDays.other ? text : "")" autocapitalize="off" autocomplete="off" \
            placeholder="11-3">\(problem(name, state))</div>
            """
        return """
            <fieldset id="\(name)"><legend>\(legend)</legend><div class="choice">\(each: options, { option in
                """
                <label class="chip"><input type="radio" name="\(name)" value="\(option.0)"\
                \(attribute: "checked", if: option.0 == chosen)>\(option.1)</label>
                """
            })</div>\(if: options.contains { $0.0 == OtherDays.other }, other)\(before)</fieldset>
            """
    }

    private static func others(
        _ business: BusinessRecord, _ form: HoursForm, _ state: FormState, _ view: View
    ) -> HTML {
        let holidays = Set(form.holidays.map(\.date))
        var spans: [OtherDays.Span] = []
        for row in business.value.specialHours {
            guard let span = OtherDays.Span(row), !spans.contains(span),
                span.to.map({ $0 >= view.words.today }) ?? true,
                !(span.to == span.from && holidays.contains(span.from))
            else { continue }
            spans.append(span)
        }
        let fields = [
            FormField(name: "from", label: "First day", control: .line(type: "date")),
            FormField(name: "to", label: "Last day, if more than one", control: .line(type: "date")),
            FormField(name: "reason", label: "Reason", hint: "Shown on the page.", control: .line()),
        ]
        let isOpen = state.sent.map { OtherDays($0).isAdded } ?? false
        let text = state.text(OtherDays.special, OtherDays.closed)
        let hours = choice(
            OtherDays.special, "Open or closed?", [(OtherDays.closed, "Closed"), (OtherDays.other, "Other hours")],
            text == OtherDays.closed ? text : OtherDays.other, text, state)
        return """
            <fieldset><legend>Other days</legend>\(if: spans.isEmpty ? nil : spans, { spans in
                """
                <ol class="hours">\(each: spans, { span in
                    #"<li class="whole">\#(self.span(span, business, form, state, view))</li>"#
                })</ol>
                """
            })<details data-key="more"\(attribute: "open", if: isOpen)><summary class="button quiet">\
            Another day, or closed for a while</summary><div \
            class="form">\(each: fields.prefix(2), { $0.markup(state) })\(hours)\(fields[2].markup(state))</div>\
            </details></fieldset>
            """
    }

    private static func span(
        _ span: OtherDays.Span, _ business: BusinessRecord, _ form: HoursForm, _ state: FormState, _ view: View
    ) -> HTML {
        let rows = business.value.specialHours.filter { OtherDays.Span($0) == span }
        let times = form.text(of: rows)
        let reason = rows.compactMap(\.reason).first.map { ", \($0)" } ?? ""
        return """
            <label class="option"><input type="checkbox" name="\(span.field)" value="yes"\
            \(attribute: "checked", if: state.isTicked(span.field, "yes"))><span><strong>\(name(of: span, view.words))\
            </strong><br><span class="soft small">\(times)\(reason). Check to remove.</span></span></label>
            """
    }

    private static func name(of span: OtherDays.Span, _ words: Words) -> String {
        guard let to = span.to else { return "From \(words.shortDate(span.from)) on" }
        return to == span.from ? words.shortDate(span.from) : words.shortDates(span.from, to)
    }

    /// The public table with what is in the form, as far as it can be read.
    private static func preview(
        of business: BusinessRecord, _ form: HoursForm, _ state: FormState, _ view: View
    ) -> HTML {
        var shown = business
        if let sent = state.sent {
            let changes = FormMerge(sent, into: form.texts(of: business)).changes
            let readable = changes.filter { state.problem(of: $0.key) == nil }
            if let patch = try? form.patch(readable, of: business, OtherDays(sent)) {
                shown = business.with(patch.applied(to: business.value))
            }
        }
        let open = view.state(of: shown)
        return """
            <aside class="facts" id="look" data-key="look" tabindex="-1"\
            \(attribute: "autofocus", if: state.focus == Submission.look)><h2>How people will see it</h2>\
            <p><span class="state \
            \(open.style.rawValue)">\(open.sentence)</span></p>\(HoursTable.of(shown, view))</aside>
            """
    }

    static func submit(_ call: Call, _ sent: Submission) async throws -> Response {
        let version = call.service.store.current
        let clock = call.service.openHoursClock(of: version.town, at: call.now)
        let (form, business) = (HoursForm(call, in: version.town), try OwnBusiness.find(call, in: version.town))
        // The card of a place has its holidays only.
        let isWhole = [HoursForm.days[0], HoursForm.rule].contains { sent.before($0) != nil }
        var sent = sent.joining(form.holidays) { form.usualText(on: $0.date, of: business, at: clock) ?? "" }
        let days = sent.isSet(set) ? sent.all(chosen) : []
        let focus = HoursForm.days.first { day in days.contains { $0 == day } } ?? Submission.look
        if sent.isSet(set) { sent = try setDays(sent, form) }
        let others = OtherDays(sent)
        if sent.isSet(Submission.look) || sent.isSet(set) {
            let changes = FormMerge(sent, into: form.texts(of: business)).changes
            var problems = FieldProblems()
            do { _ = try form.patch(changes, of: business, others) } catch let refusal as FormRefusal {
                problems = refusal.state.problems
            }
            throw FormRefusal(FormState(sent: sent, problems: problems, focus: focus), .ok)
        }
        do {
            try await OwnBusiness.save(
                call, sent, hasMore: !others.isEmpty, confirms: isWhole, { form.texts(of: $0) }
            ) { try form.patch($1, of: $0, others) }
        } catch var refusal as FormRefusal {
            refusal.state.sent = sent
            throw refusal
        }
        return .seeOther(try OwnBusiness.path(call, (isWhole ? "/hours" : "") + "?done=saved"))
    }

    private static func setDays(_ sent: Submission, _ form: HoursForm) throws -> Submission {
        let (text, days) = (sent[all] ?? "", sent.all(chosen))
        var problems = FieldProblems()
        if !text.isEmpty { _ = form.times(text, all, &problems) }
        if days.isEmpty { problems.add(all, "Choose the days first") }
        if !problems.isEmpty { throw FormRefusal(FormState(sent: sent, problems: problems)) }
        var sent = sent.setting(all, to: "")
        for day in HoursForm.days where days.contains(where: { $0 == day }) { sent = sent.setting(day, to: text) }
        return sent.without(chosen)
    }
}

extension Submission {
    /// The same with one text for each holiday and for other days, instead of a choice and a line beside it.
    fileprivate func joining(_ holidays: [HoursForm.Holiday], usual: (HoursForm.Holiday) -> String) -> Submission {
        var sent = self
        for holiday in holidays where self[holiday.field] == OtherDays.usual {
            sent = sent.setting(holiday.field, to: usual(holiday))
        }
        for name in holidays.map(\.field) + [OtherDays.special] {
            switch self[name] {
            case OtherDays.other: sent = sent.setting(name, to: self[name + OtherDays.hours] ?? "")
            default: break
            }
        }
        return sent
    }
}
