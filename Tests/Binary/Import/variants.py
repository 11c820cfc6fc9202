"""Files of the kinds of `reports.py` as other people and programs write them; see README.md."""

from typing import Any

from reports import NOTHING, ODD, SERIES, SUMMER, TAKEN, TIMES, calendar, card, feature, lines, map_of, places, walk
from sheets import JAM, LOFT, NEW, SHOP, Sheet, event, hours, shop

WEEK = "Mo-Fr 09:00-17:00"
READ_HOURS = [
    ("PH closed, Sun open", 'Su unknown "open"; PH off'), ("Sun open", 'Su unknown "open"'),
    ("open Sat & Sun", 'Sa-Su unknown "open"'), ("Mon-Fri 9-5, Sat open", f'{WEEK}; Sa unknown "open"'),
    ("Open", 'unknown "open"'), ("open daily", 'unknown "open"'), ("Open Mon-Fri 9-5", WEEK),
    ("Closed Mon/Tue, open Wed-Sun 10-6", "We-Su 10:00-18:00"), ("9 to 5, Monday through Friday", WEEK),
    ("Open 24 hours, 7 days a week", "24/7"), ("Seven days a week, 8am to 8pm", "Mo-Su 08:00-20:00"),
    ("Mon 9h30–17h", "Mo 09:30-17:00"), ("Fri 7.30pm–late", "Fr 19:30+"), ("Sat noon–midnight", "Sa 12:00-24:00"),
    ("Mo–Fr 09:00–12:00; Mo–Fr 13:00–17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
    ("Mo-Fr: 09:00-12:00; Mo-Fr: 13:00-17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
    ("Mon–Fri: 9am–12pm, 1pm–5pm", "Mo-Fr 09:00-12:00,13:00-17:00"), ("Mon-Fri 9-5, Wed closed", "Mo-Tu,Th-Fr 09:00-17:00"),
]
ASKED_HOURS = [
    ("Mon 9-5, Mon closed", "09:00-17:00 is on days that are closed as well; write each day once"),
    ("Mon 9-12, Tue closed, Tue 9-5", "09:00-17:00 is on days that are closed as well; write each day once"),
    ("Mo–Fr 9:00–17:00; We 9:00–12:00",
     "Wednesday has two times that overlap, 09:00-17:00 and 09:00-12:00; write each day once"),
    ("Mon-Thu 11:30–21:00, Fri 11:30–late", 'character 26: "am" or "pm" at times that can be both, is expected'),
    ("Mon-Fri 9-5, Dec 25 closed", "hours of a season go into opening_hours …"),
    ("June 1 - Sept 30: daily 9am-9pm", "hours of a season go into opening_hours …"),
    ("Permanently closed", "it has no times; leave the cell empty, and put this into the description"),
    ("Mon-Fri 9-5; closed Christmas", "only days and times can be read; put the rest into the description"),
]
HOURS = [
    *(Sheet(f"hours: {text!r}", shop("hours", f'"{text}"'), NEW, {LOFT: {"opening_hours": read}})
      for text, read in READ_HOURS),
    *(Sheet(f"hours to ask about: {text!r}", shop("hours", f'"{text}"'),
            [f'shops.csv:2: opening_hours: must be hours like …, not "…" ({why})', NOTHING]) for text, why in ASKED_HOURS),
    Sheet("a day that is open", shop("monday,tuesday", "Open,9-5"),
          ['warning: shops.csv:2: monday: "Open" is stored as hours that are not known; describe them elsewhere'] + NEW,
          {LOFT: {"hours": hours((2, "09:00", "17:00"))}}),
    Sheet("a day without a closing", shop("monday", "7.30pm–late"),
          ['warning: shops.csv:2: monday: "7.30pm–late" has no closing; it is stored as until midnight'] + NEW,
          {LOFT: {"hours": hours((1, "19:30", "24:00"))}}),
    Sheet("from and to in columns of their own", shop("Mon From,Mon To", "9:00,17:00"), NEW,
          {LOFT: {"hours": hours((1, "09:00", "17:00"))}}),
]


def no_digit(text: str) -> list[str]:
    return [f'warning: shops.csv:2: phone: "{text}" is not a phone number; the cell was left out'] + NEW


def other_words(field: str, value: str) -> list[str]:
    return [f'warning: shops.csv:2: {field}: holds other words too; "{value}" was taken from "…"'] + NEW


CELLS = [
    *(Sheet(f"no phone number: {text!r}", shop("phone", text), NEW, {LOFT: {"phone": None}})
      for text in ["n/a", "N/A", "-", "none", "no phone"]),
    *(Sheet(f"a word for a phone number: {text!r}", shop("phone", text), no_digit(text), {LOFT: {"phone": None}})
      for text in ["TBD", "tba", "unknown", "call for details", "?"]),
    *(Sheet(f"two phone numbers: {text!r}", shop("phone", f'"{text}"'), [TAKEN.format("phone", first, second)] + NEW,
            {LOFT: {"phone": first}}) for text, first, second in [
        ("250-555-0101 250-555-0102", "250-555-0101", "250-555-0102"),
        ("250 555 0101 250 555 0102", "250 555 0101", "250 555 0102"),
        ("(250) 555-0101 cell: (250) 555-0102", "(250) 555-0101", "cell: (250) 555-0102"),
        ("555-0101 555-0102", "555-0101", "555-0102"), ("250-555-0101 and/or 250-555-0102", "250-555-0101", "250-555-0102"),
        ("250-555-0101 or 250-555-0102", "250-555-0101", "250-555-0102"),
    ]),
    *(Sheet(f"one phone number: {text!r}", shop("phone", text), NEW, {LOFT: {"phone": read}}) for text, read in [
        ("+44 20 7946 0958", "+44 20 7946 0958"), ("250-555-0101 ext 1234", "250-555-0101 ext 1234"),
        ("'2505550101", "2505550101"), ("Call 250-555-0101", "Call 250-555-0101"), ("1-800-FLOWERS", "1-800-FLOWERS"),
    ]),
    Sheet("an e-mail link with a subject", shop("email", "mailto:a@x.example?subject=Hi"), NEW, {LOFT: {"email": "a@x.example"}}),
    Sheet("an e-mail address with a name after it", shop("email", "a@x.example (Dan)"), other_words("email", "a@x.example"),
          {LOFT: {"email": "a@x.example"}}),
    Sheet("a website among words", shop("website", '"Net Loft (https://loft.example)"'),
          other_words("website", "https://loft.example"), {LOFT: {"website": "https://loft.example"}}),
    Sheet("a website as a link of HTML", shop("website", '"<a href=""https://loft.example"">Our site</a>"'),
          other_words("website", "https://loft.example"), {LOFT: {"website": "https://loft.example"}}),
    *(Sheet(f"a website with signs around it: {text!r}", shop("website", f'"{text}"'), NEW,
            {LOFT: {"website": "https://a.example"}}) for text in ["https://a.example,", "(a.example)", "<https://a.example>;"]),
    Sheet("an e-mail address at the end of a sentence", shop("email", "a@x.example."), NEW, {LOFT: {"email": "a@x.example"}}),
    *(Sheet(f"no website: {text!r}", shop("website", text),
            ["shops.csv:2: website: must be a web address like https://example.org", NOTHING])
      for text in ["https//a.example", "http:/a.example", "@netloft", "coming soon"]),
    *(Sheet(f"two categories that a word joins, with {options or 'no option'}",
            shop("phone", "1").replace(",Shops,", ",Restaurants & Lodging,"),
            [TAKEN.format("category", "Restaurants", "Lodging")] + NEW, {LOFT: {"category": "restaurants"}}, options=options)
      for options in ([], ["--create-categories"])),
    Sheet("a category in the singular, where others are created", shop("phone", "1").replace(",Shops,", ",Restaurant,"),
          ['warning: shops.csv:2: category: "Restaurant" was taken for "Restaurants", the only category with that in its '
           "name"] + NEW, {LOFT: {"category": "restaurants"}}, options=["--create-categories"]),
    Sheet("a part of a category's name, where others are created", shop("phone", "1").replace(",Shops,", ",Café,"),
          ["categories: 1 new; businesses: 1 new"], {LOFT: {"category": "café"}}, options=["--create-categories"]),
    Sheet("IDs of another program beside slugs",
          f"id,slug,name,category,address,latitude,longitude\nrec17,net-loft,Net Loft,Shops,12 Otter Rd,{SHOP}\n",
          ['warning: shops.csv:2: id: "rec17" is an ID of another program, and was left out'] + NEW, {LOFT: {"name": "Net Loft"}}),
    Sheet("two new categories", shop("phone", "1").replace(",Shops,", ",Nets; Ropes,"),
          [TAKEN.format("category", "Nets", "Ropes"), "categories: 1 new; businesses: 1 new"], {LOFT: {"category": "nets"}},
          options=["--create-categories"]),
    Sheet("a tab and no-break spaces in a name", shop("phone", "1").replace("Net Loft", "Net\u00a0\tLoft\u2028Inc"), NEW,
          {"businesses/net-loft-inc": {"name": "Net  Loft Inc"}}),
    Sheet("a line for the separator", f"sep=;\r\nName;Category;Address;Coordinates\r\nNet Loft;Shops;12 Otter Rd;{SHOP}\r\n", NEW),
    Sheet("places as a geographic program writes them",
          'WKT,name,category,address\n"POINT (-123.7262 48.3741)",Net Loft,Shops,12 Otter Rd\n', NEW,
          {LOFT: {"latitude": 48.3741, "longitude": -123.7262}}),
    Sheet("whole days with times", event("date,time,all day event", "2027-06-14,10:00,Yes"),
          ['warning: shops.csv:2: all_day: the event lasts whole days, so "10:00" does not count', "events: 1 new"],
          {JAM: {"starts_at": "2027-06-14T07:00:00Z", "ends_at": "2027-06-15T07:00:00Z"}}),
    Sheet("whole days with the first and the last minute",
          event("start date,start time,end date,end time,all day", "2027-06-14,12:00 AM,2027-06-14,11:59 PM,TRUE"),
          ["events: 1 new"], {JAM: {"starts_at": "2027-06-14T07:00:00Z", "ends_at": "2027-06-15T07:00:00Z"}}),
    Sheet("a rule with spaces", event("starts_at,rrule", '2027-06-14 19:00,"FREQ=WEEKLY; BYDAY=MO, TH"'), ["events: 1 new"],
          {JAM: {"rrule": "FREQ=WEEKLY;BYDAY=MO,TH"}}),
]

FIXED = ("BEGIN:VTIMEZONE", "TZID:Customized Time Zone", "BEGIN:STANDARD", "DTSTART:16010101T000000", "TZOFFSETFROM:-0800",
         "TZOFFSETTO:-0800", "END:STANDARD", "END:VTIMEZONE")
EIGHT = "DTSTART;TZID={}:20270704T080000"
ZONES = [
    *(walk(EIGHT.format(zone), title=f"the zone {zone}", starts_at=f"2027-07-0{start}:00:00Z") for zone, start in [
        ("tzone://Microsoft/Utc", "4T08"), ('"tzone://Microsoft/Utc"', "4T08"), ("Coordinated Universal Time", "4T08"),
        ("tzone://Microsoft/Pacific Standard Time", "4T15"), ("(UTC-05:00) Eastern Time (US & Canada)", "4T12"),
        ("(GMT-08.00) Pacific Time (US & Canada)", "4T15"), ("Pacific Daylight Time", "4T15"),
        ("Central Pacific Standard Time", "3T21"), ("West Pacific Standard Time", "3T22"),
        ("SA Pacific Standard Time", "4T13"), ("Tasmania Standard Time", "3T22"), ("america/los angeles", "4T15"),
        ("/mozilla.org/20050126_1/Europe/Vienna", "4T06"), ("UTC-08", "4T16"),
    ]),
    walk(EIGHT.format("Customized Time Zone"), "RRULE:FREQ=WEEKLY;COUNT=3", around=FIXED,
         title="a series in a zone of the file without summer", time_zone="Etc/GMT+8"),
    walk("DTSTART:20270714T160000", around=("TIMEZONE-ID:America/Toronto",), title="the zone of a calendar by another name",
         starts_at="2027-07-14T20:00:00Z"),
    *(Sheet(f"an unknown zone: {zone}", calendar(EIGHT.format(zone)),
            [f'events.ics:4: "Walk": TZID: unknown time zone "{zone}"; …', NOTHING], name="events.ics",
            options=["--event-type", "workshop"]) for zone in ["Custom", "tzone://Microsoft/Custom", "-08:00"]),
    Sheet("a series in a zone that only the file has", calendar(EIGHT.format("Ship"), "RRULE:FREQ=DAILY;COUNT=2", around=ODD),
          ['events.ics:12: "Walk": TZID: "Ship" is defined in the file, …', NOTHING], name="events.ics",
          options=["--event-type", "workshop"]),
]
DAY: dict[str, Any] = {"starts_at": "2027-06-14T07:00:00Z", "ends_at": "2027-06-15T07:00:00Z"}
ALL_DAY = "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE"
EVENTS = [
    *(walk(SUMMER[0], f"RRULE:FREQ=WEEKLY;UNTIL={until}", title=f"whole days until {until}", rrule="FREQ=WEEKLY;UNTIL=20270622")
      for until in ["20270622", "20270622T000000Z", "20270622T235959Z", "20270622T070000Z", "20270623T065959Z",
                    "20270622T000000"]),
    *(walk(f"DTSTART{zone}:20270614T000000{end}", f"DTEND{zone}:20270615T000000{end}", ALL_DAY,
           title=f"a whole day as midnight: {zone or end or 'no zone'}", **DAY)
      for zone, end in [("", ""), ("", "Z"), (";TZID=Eastern Standard Time", "")]),
    walk("DTSTART;TZID=Eastern Standard Time:20270601T000000", "RRULE:FREQ=WEEKLY;UNTIL=20270622T040000Z", ALL_DAY,
         title="a series of whole days as midnights", rrule="FREQ=WEEKLY;UNTIL=20270622"),
    walk(*TIMES, "X-ALT-DESC;FMTTYPE=text/html:<!DOCTYPE HTML><html><body><p>A walk<o:p></o:p></p></body></html>",
         title="a description in HTML only", description="A walk"),
    walk(*TIMES, "DESCRIPTION:A walk", "X-ALT-DESC;FMTTYPE=text/html:<b>A walk</b>", title="a description twice",
         description="A walk"),
    walk(*TIMES, "DESCRIPTION:<html-blob>One<u></u><br>two\\r\\nthree\\Nfour &amp\\;amp\\; five</html-blob>",
         title="text of several programs", description="One\ntwo\nthree\nfour &amp; five"),
    walk(*TIMES, "X-GOOGLE-CONFERENCE:https://meet.example/a", title="a conference",
         says=('warning: events.ics:4: "Walk": has values that were ignored: X-GOOGLE-CONFERENCE',)),
    walk(*SERIES[:2], "RRULE:FREQ=WEEKLY; COUNT=5", "EXDATE;TZID=America/Toronto:20270308T220000,20270315T220000",
         title="starts left out in another zone", exdates=["2027-03-09T03:00:00Z", "2027-03-16T02:00:00Z"]),
    Sheet("a page for logging in instead of a calendar", "<!DOCTYPE html><html><body>Log in</body></html>",
          ["events.ics:1: is a web page, not a calendar; download the calendar itself, as .ics", NOTHING], name="events.ics"),
    Sheet("a calendar with the name of a table", calendar(*TIMES), ["events: 1 new"], name="events.csv",
          options=["--event-type", "workshop"]),
    Sheet("two rules", calendar(*SERIES, "EXRULE:FREQ=MONTHLY;COUNT=2"),
          ['events.ics:4: "Walk": EXRULE: is not supported beside another rule; …', NOTHING], name="events.ics",
          options=["--event-type", "workshop"]),
    Sheet("all later occurrences are moved",
          calendar("BEGIN:VEVENT", "UID:w@town.example", "SUMMARY:Walk", *SERIES, "END:VEVENT", "BEGIN:VEVENT",
                   "UID:w@town.example", "SUMMARY:Walk",
                   "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=America/Vancouver:20270308T190000",
                   "DTSTART;TZID=America/Vancouver:20270308T200000", "END:VEVENT"),
          ['events.ics:4: "Walk": RECURRENCE-ID: line 11: changes all later occurrences; …', NOTHING], name="events.ics",
          options=["--event-type", "workshop"]),
    Sheet("a cancellation without anything else", calendar("BEGIN:VEVENT", "UID:x", "END:VEVENT", around=("METHOD:CANCEL",)),
          ['warning: events.ics:5: "…": is cancelled, and is not there; nothing was added',
           "nothing changed: there are no records to import"], name="events.ics", options=["--event-type", "workshop"]),
]

TEXTS = [
    Sheet(f"text: {text!r}", shop("description", '"' + text.replace('"', '""') + '"'), NEW, {LOFT: {"description": plain}})
    for text, plain in [
        ("<![CDATA[<b>Hi</b><br>you &amp; I]]>", "Hi\nyou & I"), ("<o:p></o:p>Hi<o:p>&nbsp;</o:p>", "Hi"),
        ("<details><summary>More</summary>Text</details>", "More\nText"), ("a&shy;b", "ab"), ("Nets&nbsp;", "Nets"),
        ("<!DOCTYPE html><html><body>Hi</body></html>", "Hi"), ("<svg><path d='a'/></svg>Hi", "Hi"),
        ("a ]]> b <! c", "a ]]> b <! c"), ("<x-y> <h:z> stay", "<x-y> <h:z> stay"),
    ]
]


def cards(title: str, content: str, says: list[str], records: dict[str, dict[str, Any]] = {}) -> Sheet:
    cut = content.encode().replace(b" CUT", b"\xc3\r\n \xa9")
    return Sheet(title, cut, says, records, name="shops.vcf", options=["--category", "Shops"])


CARDS = [
    cards("ISO 8859-15", card("FN;CHARSET=ISO-8859-15;ENCODING=QUOTED-PRINTABLE:=A4 Caf=E9"), NEW,
          {"businesses/€-café": {"name": "€ Café"}}),
    cards("a character set that is not read", card("FN;CHARSET=windows-1251;ENCODING=QUOTED-PRINTABLE:=CF=F0"),
          ['shops.vcf:3: FN: is in the character set "windows-1251", which is not read; export the file as UTF-8', NOTHING]),
    cards("a character set without a text", card("FN;CHARSET=UTF-8:Net Loft", "NOTE;CHARSET=UTF-8:"), NEW,
          {LOFT: {"description": None}}),
    Sheet("a character set of a calendar that is not read",
          calendar(*TIMES, "LOCATION;CHARSET=KOI8-R;ENCODING=QUOTED-PRINTABLE:=CF=F0"),
          ['events.ics:4: "Walk": LOCATION: is in the character set "KOI8-R", which is not read; export the file as UTF-8',
           NOTHING], name="events.ics", options=["--event-type", "workshop"]),
    cards("texts in base64", card("FN;ENCODING=B;CHARSET=UTF-8:TmV0IExvZnQ=", "NOTE;ENCODING=BASE64:TmV0cyA+IHJvcGVzPz8="),
          NEW, {LOFT: {"description": "Nets > ropes??"}}),
    cards("UTF-8 in parts of quoted-printable", card("FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Caf=C3=\r\n=A9 Loft"), NEW,
          {"businesses/café-loft": {"name": "Café Loft"}}),
    cards("a fold inside a character of a card", card("FN:Net Loft", "NOTE:Caf CUT"), NEW, {LOFT: {"description": "Café"}}),
]

MAPS = [
    *(map_of(f"a shop that is {tag}", places(feature({"name": "Old Shop", "shop": "books", tag: "yes"})),
             [f'warning: shops.geojson:1: "Old Shop" ({tag}=yes) no longer exists and was left out',
              "nothing changed: there are no records to import"]) for tag in ["disused", "abandoned"]),
    map_of("a shop in a historic house", places(feature({"name": "Net Loft", "shop": "books", "historic": "yes"})),
           ["warning: shops.geojson:1: has values that were ignored, here or in later records: historic"] + NEW),
    *(map_of(f"the name in {name}", places(feature({name: "Net Loft"})), NEW, {LOFT: {"name": "Net Loft"}})
      for name in ["org", "FULLNAME", "Organization Name", "LicenceName", "BusinessTradeName", "marker-title", "Name_1"]),
    *(map_of(f"coordinates of {crs}", places(feature({"name": "Net Loft"}), crs={"type": "name", "properties": {"name": crs}}),
             ['shops.geojson:1: crs: the coordinates are of another system, "…", …', NOTHING])
      for crs in ["EPSG:4269", "EPSG:4267", "WGS 84 / UTM zone 10N"]),
    map_of("a description of a map program", places(feature({"name": "Net Loft", "description": "<![CDATA[Nets<br>ropes]]>"})),
           NEW, {LOFT: {"description": "Nets\nropes"}}),
]

PLACE = '"address": "1 A", "latitude": 48.37, "longitude": -123.72'
GOOD = '{"name": "Good", ' + PLACE + "}"
NOT_READ = "sooke: 1 problem; nothing was imported, since not all could be read\n"


def of_card(name: str, place: str = "GEO:48.37;-123.72", end: str = "END:VCARD") -> str:
    return lines("BEGIN:VCARD", "VERSION:3.0", f"FN:{name}", "ADR:;;1 A St;Sooke;;;", place, end)


# The name of a file, its content, options, what is printed, and a part of what is left: of the file, or of the message
# when nothing is imported.
SKIPPED = [
    ("town.json", '{"businesses": [{"name": "Bad", "slug": "bad", "address": "1 A"}, ' + GOOD + '], "events": ['
     '{"name": "At a bad place", "business": "bad", "event_type": "workshop", "starts_at": "2027-06-01T19:00:00Z"}, '
     '{"name": "Good event", "business": "good", "event_type": "workshop", "starts_at": "2027-06-01T19:00:00Z"}]}',
     [], "businesses: 1 new; events: 1 new\n", "At a bad place"),
    ("town.ndjson", '{"business": ' + GOOD + '}\n{"business":\n{"business": {"name": "Bad"}}\n', [],
     "businesses: 1 new\n", '{"business":\n{"business": {"name": "Bad"}}\n'),
    ("places.geojson", places(feature({"name": "Good"}), feature({"name": "Bad"}, geometry=None)), [], "businesses: 1 new\n",
     '"Bad"'),
    ("cards.vcf", of_card("Good") + of_card("Bad", place="NOTE:x"), ["--category", "Shops"], "businesses: 1 new\n", "FN:Bad"),
    ("cards.vcf", of_card("Good") + of_card("Bad", end="NOTE:no end"), ["--category", "Shops"], "businesses: 1 new\n", "FN:Bad"),
    ("events.ics", calendar("BEGIN:VEVENT", "UID:1", "SUMMARY:Good", *TIMES, "END:VEVENT", "BEGIN:VEVENT", "UID:2",
                            "SUMMARY:Bad", "DTSTART;TZID=Nowhere:20270917T200000", "END:VEVENT"),
     ["--event-type", "workshop"], "events: 1 new\n", "SUMMARY:Bad"),
    ("all.json", '{"businesses": [{"name": "Bad", "slug": "bad", "address": "1 A"}]}', [],
     "nothing changed: there are no records to import\n", '"Bad"'),
    ("cut.json", '{"businesses": [' + GOOD + ', {"name": "B"', [], "", NOT_READ),
    ("cut.geojson", places(feature({"name": "Good"}))[:-2], ["--category", "Shops"], "", NOT_READ),
    ("cut.csv", f'name,category,address,coordinates\nGood,Shops,1 A,"{SHOP}"\nBad,Shops,"2 A,48.37\nGood 2,Shops,3 A,x\n', [], "",
     NOT_READ),
    ("columns.csv", "this,that\n1,2\n", [], "", NOT_READ),
]

VARIANTS = HOURS + CELLS + ZONES + EVENTS + TEXTS + CARDS + MAPS
