"""Files that people reported about programs of this kind, and others of the same kinds; see README.md."""

import json
from typing import Any

from sheets import JAM, LOFT, NEW, SHOP, Sheet, event, hours, shop

ALL = "businesses/"
NOTHING = "sooke: 1 problem; nothing was imported"


def lines(*texts: str) -> str:
    return "\r\n".join(texts) + "\r\n"


def calendar(*inside: str, around: tuple[str, ...] = ()) -> str:
    """A calendar with an event `Walk`, or with other components."""
    if not any(line.startswith("BEGIN:") for line in inside):
        inside = ("BEGIN:VEVENT", "UID:w@town.example", "DTSTAMP:20261101T000000Z", "SUMMARY:Walk", *inside, "END:VEVENT")
    return lines("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Town//Test//EN", *around, *inside, "END:VCALENDAR")


def walk(*inside: str, around: tuple[str, ...] = (), says: tuple[str, ...] = (), title: str = "",
         **fields: Any) -> Sheet:
    """A calendar of which one event is imported."""
    found = {"events/walk-191a32": fields} if fields else {}
    return Sheet(title, calendar(*inside, around=around), [*says, "events: 1 new"], found, name="events.ics",
                 options=["--event-type", "workshop"])


def card(*inside: str) -> str:
    return lines("BEGIN:VCARD", "VERSION:2.1", *inside, "ADR;TYPE=WORK:;;12 Otter Rd;Sooke;BC;V9Z 0A1;Canada",
                 "GEO:48.3741;-123.7262", "END:VCARD")


def feature(properties: dict[str, Any], **members: Any) -> dict[str, Any]:
    point = {"type": "Point", "coordinates": [-123.7262, 48.3741]}
    return {"type": "Feature", "geometry": point, "properties": {"address": "12 Otter Rd", **properties}, **members}


def places(*features: dict[str, Any], **members: Any) -> str:
    return json.dumps({"type": "FeatureCollection", **members, "features": list(features)})


def map_of(title: str, content: str, says: list[str], records: dict[str, dict[str, Any]] = {}) -> Sheet:
    return Sheet(title, content, says, records, name="shops.geojson", options=["--category", "Shops"])


TIMES = ("DTSTART:20270917T200000Z", "DTEND:20270917T210000Z")
HOURS_OF_DAY = ((1, "09:00", "12:00"), (1, "13:00", "17:00"))

HOURS = [
    Sheet("report: hours of days that are named twice",
          "name,category,address,latitude,longitude,hours\n"
          'Noon Bistro,restaurants,1 Main,48.374,-123.726,"Mon-Fri 9-12, Mon-Fri 1-5"\n'
          'Noon Bakery,restaurants,2 Main,48.374,-123.726,"Mon 9-12, Mon 1-5, Tue 9-5"\n',
          ["businesses: 2 new"],
          {"businesses/noon-bistro": {"opening_hours": "Mo-Fr 09:00-12:00,13:00-17:00"},
           "businesses/noon-bakery": {"opening_hours": "Mo 09:00-12:00,13:00-17:00; Tu 09:00-17:00"}}),
    *(Sheet(f"hours: {text!r}", shop("hours", f'"{text}"'), NEW, {LOFT: {"opening_hours": read}}) for text, read in [
        ("Mon-Fri 9-12; Mon-Fri 1-5", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mon-Fri 9-12\nMon-Fri 1-5", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mon-Fri 09:00-12:00; Mon-Fri 13:00-17:00", "Mo-Fr 09:00-12:00,13:00-17:00"),
        ("Mo-Fr 8-12; Mo-Fr 14-18", "Mo-Fr 08:00-12:00,14:00-18:00"),
        ("Mon 1pm-5pm, Mon 9am-noon", "Mo 09:00-12:00,13:00-17:00"),
        ("Mo-Fr 09:00-17:00; We 09:00-12:00", "Mo-Fr 09:00-17:00; We 09:00-12:00"),
        ("Mon-Fri 9-5, PH open", "Mo-Fr 09:00-17:00"), ("Mon-Fri 9-5, open holidays", "Mo-Fr 09:00-17:00"),
        ("by appointment", 'unknown "by appointment"'), ("By appointment only", 'unknown "by appointment only"'),
        ("Mon-Fri 9-5, Sat by appointment", 'Mo-Fr 09:00-17:00; Sa unknown "by appointment"'),
        ("Mon-Fri 9-5; by appointment Sat & Sun", 'Mo-Fr 09:00-17:00; Sa-Su unknown "by appointment"'),
        ("Mon-Fri 9-5 or by appointment", 'unknown "by appointment", Mo-Fr 09:00-17:00'),
        ("Mon-Fri 9-5<br>Sat 10-4", "Mo-Fr 09:00-17:00; Sa 10:00-16:00"),
    ]),
    Sheet("hours that overlap", shop("hours", '"Mon-Fri 9-5, Wed 9-12"'),
          ['shops.csv:2: opening_hours: must be hours like …, not "Mon-Fri 9-5, Wed 9-12" (Wednesday has two times that '
           "overlap, 09:00-17:00 and 09:00-12:00; write each day once)", NOTHING]),
    map_of("report: open on holidays",
           places(feature({"name": "Net Loft", "opening_hours": "Mo,We-Su 11:00-23:00; PH open"})), NEW,
           {LOFT: {"opening_hours": "Mo,We-Su 11:00-23:00; PH open"}}),
    Sheet("a day by appointment", shop("monday,tuesday", "by appointment,9-5"),
          ['warning: shops.csv:2: monday: "by appointment" is stored as hours that are not known; describe them elsewhere']
          + NEW, {LOFT: {"hours": hours((2, "09:00", "17:00"))}}),
    Sheet("openings and closings in columns of their own",
          shop("Monday Open,Monday Close,Tue Opens,Tue Closes,Wednesday Opening Time,Wednesday Closing Time",
               "9:00 AM,5:00 PM,9:00,5:00,Closed,"), NEW,
          {LOFT: {"hours": hours((1, "09:00", "17:00"), (2, "09:00", "17:00")) + [{"day_of_week": 3, "is_closed": True}]}}),
    Sheet("openings and closings around noon",
          shop("mon_open_1,mon_close_1,mon_open_2,mon_close_2", "09:00,12:00,13:00,17:00"), NEW,
          {LOFT: {"hours": hours(*HOURS_OF_DAY)}}),
    Sheet("an opening without a closing", shop("Monday Open,Monday Close", "9:00,"),
          ['shops.csv:2: monday: has an opening, "9:00", without the closing; add that, or write closed', NOTHING]),
]

ZONE = ("BEGIN:VTIMEZONE", "TZID:Customized Time Zone", "BEGIN:STANDARD", "DTSTART:16010101T020000", "TZOFFSETFROM:-0400",
        "TZOFFSETTO:-0500", "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=1SU;BYMONTH=11", "END:STANDARD", "BEGIN:DAYLIGHT",
        "DTSTART:16010101T020000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400",
        "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=2SU;BYMONTH=3", "END:DAYLIGHT", "END:VTIMEZONE")
ODD = ("BEGIN:VTIMEZONE", "TZID:Ship", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0117", "TZOFFSETTO:+0117",
       "END:STANDARD", "END:VTIMEZONE")
SERIES = ("DTSTART;TZID=America/Vancouver:20270301T190000", "DTEND;TZID=America/Vancouver:20270301T200000",
          "RRULE:FREQ=WEEKLY;COUNT=5")

CALENDARS = [
    walk(*SERIES, "EXDATE;TZID=America/Vancouver:20270308T180000", title="report: an exception of nothing",
         says=('warning: events.ics:4: "Walk": EXDATE: "2027-03-08 18:00" matches no occurrence and was ignored',)),
    Sheet("a move of nothing",
          calendar("BEGIN:VEVENT", "UID:w@town.example", "SUMMARY:Walk", *SERIES, "END:VEVENT", "BEGIN:VEVENT",
                   "UID:w@town.example", "SUMMARY:Walk", "RECURRENCE-ID;TZID=America/Vancouver:20270309T190000",
                   "DTSTART;TZID=America/Vancouver:20270310T190000", "DTEND;TZID=America/Vancouver:20270310T200000",
                   "END:VEVENT"),
          ['warning: events.ics:4: "Walk": RECURRENCE-ID: "2027-03-09 19:00" matches no occurrence; …',
           "events: 1 new"], name="events.ics", options=["--event-type", "workshop"]),
    walk(*TIMES, "DESCRIPTION:Doors 7&nbsp\\;pm<br>Cost: $5<ul><li>kids free</li></ul>"
         '<a href="https://walk.example/a">Map</a>', title="report: HTML",
         description="Doors 7 pm\nCost: $5\nkids free\nMap (https://walk.example/a)"),
    walk(*TIMES, "RDATE;VALUE=PERIOD:20270920T200000Z/20270920T230000Z,20270921T200000Z/PT30M",
         title="report: added dates with lengths", rdates=["2027-09-20T20:00:00Z", "2027-09-21T20:00:00Z"],
         overrides=[{"occurrence": "2027-09-20T20:00:00Z", "ends_at": "2027-09-20T23:00:00Z"},
                    {"occurrence": "2027-09-21T20:00:00Z", "ends_at": "2027-09-21T20:30:00Z"}]),
    walk(*TIMES, "URL:https://walk.example/tickets", title="report: the page of an event",
         description="https://walk.example/tickets"),
    walk(*TIMES, "DESCRIPTION:A walk", "URL:https://walk.example/tickets", title="the page of an event with a description",
         description="A walk\n\nhttps://walk.example/tickets"),
    walk("DTSTART;TZID=America/Vancouver:20270104T120000", "DTEND;TZID=America/Vancouver:20270104T130000",
         "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3", title="report: a start off its rule",
         says=('warning: events.ics:4: "Walk": DTSTART: "2027-01-04 12:00" does not match RRULE; it was added as an '
               "extra date",)),
    walk("DTSTART:20270714T160000", "DTEND:20270714T170000", around=("X-WR-TIMEZONE:America/Toronto",),
         title="report: the zone of a calendar", starts_at="2027-07-14T20:00:00Z", ends_at="2027-07-14T21:00:00Z"),
    walk("DTSTART:20270714T160000", "DTEND:20270714T170000", around=("X-WR-TIMEZONE:Somewhere",),
         title="an unknown zone of a calendar",
         says=('warning: events.ics:5: "Walk": X-WR-TIMEZONE: unknown time zone "Somewhere"; …',)),
    walk("DTSTART:20270106T000000Z", "DTEND:20270106T010000Z", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3",
         around=("X-WR-TIMEZONE:America/Toronto",), title="a series in UTC on the days of the calendar",
         time_zone="America/Toronto", starts_at="2027-01-06T00:00:00Z", rdates=None),
    walk("DTSTART;TZID=Customized Time Zone:20270704T080000", "DTEND;TZID=Customized Time Zone:20270704T090000", around=ZONE,
         title="report: a zone that is defined in the file", starts_at="2027-07-04T12:00:00Z"),
    walk("DTSTART;TZID=Customized Time Zone:20270704T080000", "DTEND;TZID=Customized Time Zone:20270704T090000",
         "RRULE:FREQ=WEEKLY;COUNT=3", around=ZONE, title="a series in a zone that is defined in the file",
         starts_at="2027-07-04T12:00:00Z", rrule="FREQ=WEEKLY;COUNT=3"),
    walk("DTSTART;TZID=Ship:20270704T080000", around=ODD, title="a zone that only the file has",
         says=('warning: events.ics:12: "Walk": TZID: unknown time zone "Ship"; …',),
         starts_at="2027-07-04T06:43:00Z"),
    *(walk(f"DTSTART;TZID={zone}:20270704T080000", title=f"the zone {zone}", starts_at=start) for zone, start in [
        ("/Europe/Vienna", "2027-07-04T06:00:00Z"), ('"(UTC-05:00) Eastern Time (US & Canada)"', "2027-07-04T12:00:00Z"),
        ("EDT", "2027-07-04T12:00:00Z"), ('"(UTC+01:00) Amsterdam, Berlin, Bern, Rome"', "2027-07-04T06:00:00Z"),
        ("Eastern Time", "2027-07-04T12:00:00Z"), ("GMT-0300", "2027-07-04T11:00:00Z"),
    ]),
    walk("DTSTART;VALUE=DATE:20270101", "DTEND;VALUE=DATE:20270101", "RRULE:", title="report: an empty rule"),
    Sheet("report: a fold inside a character",
          calendar(*TIMES, "DESCRIPTION:aaaaaaaa CUT party").encode().replace(b"CUT", b"\xf0\x9f\r\n \x8e\x89"),
          ["events: 1 new"], {"events/walk-191a32": {"description": "aaaaaaaa 🎉 party"}}, name="events.ics",
          options=["--event-type", "workshop"]),
    Sheet("report: a calendar in an old encoding", calendar(*TIMES, "LOCATION:Café").encode("latin-1"),
          ["events.ics:10: is not UTF-8 text; export the calendar as UTF-8, or convert the file: iconv -f WINDOWS-1252 -t "
           "UTF-8", NOTHING], name="events.ics", options=["--event-type", "workshop"]),
    walk("DTSTART:20200107T151500Z", "RRULE:FREQ=WEEKLY;UNTIL=20200204T151459Z;BYDAY=TU", "RDATE:20200204T151500Z",
         title="an added date after the end of a rule", rdates=["2020-02-04T15:15:00Z"]),
    walk(*TIMES, "SUMMARY:ignored", "LOCATION:Main\\nSt", title="lines in a place", description="Location: Main St"),
    Sheet("tasks", calendar("BEGIN:VTODO", "UID:1", "SUMMARY:Paint", "END:VTODO", "BEGIN:VTODO", "UID:2", "END:VTODO"),
          ["warning: events.ics:4: 2 tasks were left out, the first one here; only events are imported",
           "nothing changed: there are no records to import"], name="events.ics"),
    Sheet("a cancellation of nothing",
          calendar("UID:w@town.example", *TIMES, around=("METHOD:CANCEL",)),
          ['warning: events.ics:5: "Walk": is cancelled, and is not there; nothing was added',
           "nothing changed: there are no records to import"], name="events.ics", options=["--event-type", "workshop"]),
]

SUMMER = ("DTSTART;VALUE=DATE:20270601", "DTEND;VALUE=DATE:20270602", "RRULE:FREQ=WEEKLY;COUNT=4")
DAYS_LEFT_OUT = [
    walk(*SUMMER, exception, title=f"report: a day left out by {exception}", exdates=["2027-06-08T07:00:00Z"])
    for exception in ["EXDATE;TZID=W. Europe Standard Time:20270608T000000", "EXDATE:20270608T000000Z",
                      "EXDATE;VALUE=DATE:20270608", "EXDATE;TZID=America/Toronto:20270608T120000"]
]

TEXTS = [
    Sheet("report: entities in a table",
          "name,category,address,latitude,longitude,description\n"
          "Tom &amp; Jo&#39;s,restaurants,1 Main,48.374,-123.726,<p>Good<br/>food</p>\n", NEW,
          {"businesses/tom-jos": {"name": "Tom & Jo's", "description": "Good\nfood"}}),
    *(Sheet(f"text: {text!r}", shop("description", '"' + text.replace('"', '""') + '"'), NEW, {LOFT: {"description": plain}})
      for text, plain in [
          ("AT&T and R&B, a < b <3 <ada@x.example>", "AT&T and R&B, a < b <3 <ada@x.example>"),
          ("one\r\ntwo", "one\ntwo"), ("Caf&eacute; &#8211; &#x2019;&#146;", "Café – ’’"),
          ("&lt;p&gt;One&lt;/p&gt;&lt;p&gt;Two&lt;/p&gt;", "One\n\nTwo"), ("<b>Bold</b> &amp; <i>thin</i>", "Bold & thin"),
          ('<a href="https://x.example/">x.example</a>', "x.example"),
          ('<a href="mailto:a@x.example">Write</a>', "Write (a@x.example)"), ("it\u0092s", "it’s"),
          ("<script>alert(1)</script>Hi", "Hi"), ("if a <b and c> d", "if a <b and c> d"),
      ]),
    Sheet("report: the quotes of windows-1252", card("N:;;;;", "FN;CHARSET=windows-1252;ENCODING=QUOTED-PRINTABLE:Jo=92s Caf=E9"),
          NEW, {"businesses/jo’s-café": {"name": "Jo’s Café"}}, name="shops.vcf", options=["--category", "Shops"]),
    *(Sheet(f"soft line breaks and folds: {note!r}", card("FN:Net Loft", note), NEW,
            {LOFT: {"description": text}}, name="shops.vcf", options=["--category", "Shops"]) for note, text in [
        ("NOTE;ENCODING=QUOTED-PRINTABLE:Nets=0D=0Aand=\r\n ropes", "Nets\nand ropes"),
        ("NOTE;ENCODING=QUOTED-PRINTABLE:Nets=20and=\r\n =20ropes=\r\n =20too", "Nets and ropes too"),
        ("NOTE;ENCODING=QUOTED-PRINTABLE:Nets and\r\n =\r\n ropes", "Nets and ropes"),
        ("NOTE;ENCODING=QUOTED-PRINTABLE:Nets =\r\nand\r\n  ropes", "Nets and ropes"),
    ]),
    Sheet("report: a group of an address book",
          lines("BEGIN:VCARD", "VERSION:3.0", "N:My list", "FN:My list", "X-ADDRESSBOOKSERVER-KIND:group",
                "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1", "END:VCARD") + card("FN:Net Loft"),
          ['warning: shops.vcf:1: "My list" is a group of an address book, and was left out'] + NEW, name="shops.vcf",
          options=["--category", "Shops"]),
]

TAKEN = 'warning: shops.csv:2: {}: holds more than one; "{}" was taken, and "{}" left out'
CELLS = [
    Sheet("report: words for a phone number",
          "name,category,address,latitude,longitude,phone\nAbel Roofing,restaurants,1 Main,48.374,-123.726,call Dan\n"
          "Bo Roofing,restaurants,2 Main,48.374,-123.726,x\n",
          ['warning: shops.csv:2: phone: "call Dan" is not a phone number; the cell was left out (2 like '
           "this: also in 3)", "businesses: 2 new"], {"businesses/abel-roofing": {"phone": None}}),
    Sheet("report: two websites", shop("website", "https://a.example;https://b.example"),
          [TAKEN.format("website", "https://a.example", "https://b.example")] + NEW, {LOFT: {"website": "https://a.example"}}),
    Sheet("two websites in words", shop("website", '"www.a.example, b.example"'),
          [TAKEN.format("website", "www.a.example", "b.example")] + NEW, {LOFT: {"website": "https://www.a.example"}}),
    Sheet("a website with signs in it", shop("website", '"https://a.example/x;y,z.html?q=1,2"'), NEW,
          {LOFT: {"website": "https://a.example/x;y,z.html?q=1,2"}}),
    Sheet("two phone numbers", shop("phone", "250-555-0101 / 250-555-0102"),
          [TAKEN.format("phone", "250-555-0101", "250-555-0102")] + NEW, {LOFT: {"phone": "250-555-0101"}}),
    Sheet("a phone number with an extension", shop("phone", '"250-555-0101, ext. 12"'), NEW,
          {LOFT: {"phone": "250-555-0101, ext. 12"}}),
    Sheet("two e-mail addresses", shop("email", "Ada <a@b.example>; c@d.example"),
          [TAKEN.format("email", "a@b.example", "c@d.example")] + NEW, {LOFT: {"email": "a@b.example"}}),
    Sheet("report: two categories",
          'name,category,address,latitude,longitude\nAbel Inn,"Restaurants, Lodging",1 Main,48.374,-123.726\n',
          [TAKEN.format("category", "Restaurants", "Lodging")] + NEW, {"businesses/abel-inn": {"category": "restaurants"}},
          options=["--create-categories"]),
    Sheet("two categories, of which one is known", shop("phone", "1").replace(",Shops,", ',"Nets; Shops",'),
          [TAKEN.format("category", "Shops", "Nets")] + NEW, {LOFT: {"category": "shops"}}),
    Sheet("a word of a category", shop("phone", "1").replace(",Shops,", ",Café,"),
          ['warning: shops.csv:2: category: "Café" was taken for "Cafés & Bakeries", the only category with that in its name']
          + NEW, {LOFT: {"category": "cafés-bakeries"}}),
    Sheet("IDs of another program", f"id,name,category,address,latitude,longitude\nA-17,Net Loft,Shops,12 Otter Rd,{SHOP}\n",
          ['warning: shops.csv:1: the column "id", since IDs count only beside a column "slug", is ignored'] + NEW),
    Sheet("report: whole days",
          "Subject,Start Date,Start Time,End Date,End Time,All Day Event,Description,Location,Private\n"
          "Yoga,06/13/2027,7:00 PM,06/13/2027,8:00 PM,False,Bring a mat,Gumboot Coffee,False\n"
          "Fair,06/14/2027,,06/15/2027,,True,,,False\n",
          ['warning: shops.csv:1: the column "Private" is not known and ignored', "events: 2 new"],
          {"events/fair": {"starts_at": "2027-06-14T07:00:00Z", "ends_at": "2027-06-16T07:00:00Z"}},
          options=["--event-type", "workshop"]),
    Sheet("whole days without a column for them", event("starts_at,ends_at", "2027-06-14,2027-06-15"), ["events: 1 new"],
          {JAM: {"starts_at": "2027-06-14T07:00:00Z", "ends_at": "2027-06-16T07:00:00Z"}}),
    Sheet("a whole day that ends at the midnight after it",
          event("start date,start time,end date,end time,all day", "2027-06-14,12:00 AM,2027-06-15,12:00 AM,yes"),
          ["events: 1 new"], {JAM: {"starts_at": "2027-06-14T07:00:00Z", "ends_at": "2027-06-15T07:00:00Z"}}),
    Sheet("a day without an end", event("starts_at", "2027-06-14"),
          ['shops.csv:2: starts_at: "2027-06-14" has no time; …', NOTHING]),
    Sheet("a time with a dot", event("date,start time,end time", "2027-06-14,7.30 p.m.,9.30 p.m."), ["events: 1 new"],
          {JAM: {"starts_at": "2027-06-15T02:30:00Z", "ends_at": "2027-06-15T04:30:00Z"}}),
    Sheet("report: an unseen character in the first row",
          f"\u200bname,category,address,latitude,longitude\nNet Loft,Shops,12 Otter Rd,{SHOP}\n", NEW),
    Sheet("a space before a quote", f'name, category, address, latitude, longitude\n"Net Loft", "Shops", "12 Otter Rd, 4" ,{SHOP}\n',
          NEW, {LOFT: {"address": "12 Otter Rd, 4"}}),
    Sheet("report: names with initials",
          "name,category,address,latitude,longitude\nDR. C.J. Abel Associates,health-wellness,3 Main,48.374,-123.726\n"
          "H.L.F Images,shops-galleries,6 Main,48.374,-123.726\n", ["businesses: 2 new"]),
]

MAPS = [
    Sheet("report: an empty shop", places(feature({"name": "Old Shop", "shop": "vacant"})),
          ['warning: shops.geojson:1: "Old Shop" (shop=vacant) no longer exists and was left out',
           "nothing changed: there are no records to import"], name="shops.geojson", options=["--create-categories"]),
    map_of("a shop that was", places(feature({"name": "Old Shop", "disused:shop": "bakery"})),
           ['warning: shops.geojson:1: "Old Shop" (disused:shop=bakery) no longer exists and was left out',
            "nothing changed: there are no records to import"]),
    map_of("a shop where another one was", places(feature({"name": "Net Loft", "shop": "fishing", "was:amenity": "bank"})),
           ["warning: shops.geojson:1: has values that were ignored, here or in later records: was:amenity"] + NEW),
    map_of("report: an owner", places(feature({"name": "Net Loft", "owner": "Fam. Berger"})),
           ["warning: shops.geojson:1: has values that were ignored, here or in later records: owner"] + NEW,
           {LOFT: {"owner_id": None}}),
    *(map_of(f"the name in {name}", places(feature({name: "Net Loft"})), NEW, {LOFT: {"name": "Net Loft"}})
      for name in ["businessname", "BusinessName", "BUSINESS_NAME", "title", "Trade Name", "name:en", "operator"]),
    *(map_of(f"coordinates of {crs}", places(feature({"name": "Net Loft"}), crs={"type": "name", "properties": {"name": crs}}),
             NEW if isGeoJSON else ['shops.geojson:1: crs: the coordinates are of another system, "…", …', NOTHING])
      for crs, isGeoJSON in [("urn:ogc:def:crs:OGC:1.3:CRS84", True), ("EPSG:4326", True), ("urn:ogc:def:crs:EPSG::26910", False),
                             ("EPSG:3857", False)]),
    Sheet("report: one of six places has no place",
          places(*(feature({"name": f"Shop {number}", "amenity": "cafe"}, **({"geometry": None} if number == 3 else {}))
                   for number in range(6))),
          ['shops.geojson:1: "Shop 3": coordinates: are missing; give the feature a geometry such as …', NOTHING],
          name="shops.geojson", options=["--category", "Shops"]),
    Sheet("a dataset of one line", json.dumps({"businesses": [{"name": "Net Loft", "address": "1 A"}]}),
          [f'town.json:1: "Net Loft": {field}: is missing, and the town has no center, where it would be shown until its '
           "location is known" for field in ("latitude", "longitude")] + [
           "sooke: 2 problems; nothing was imported"], name="town.json"),
]

REPORTS = HOURS + CALENDARS + DAYS_LEFT_OUT + TEXTS + CELLS + MAPS
