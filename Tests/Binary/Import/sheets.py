"""Spreadsheets and other files as people make them, each with what is imported or the message that a person needs.

A sheet is imported into the town of `TOWN`. `says` are the lines that the command prints, in order, where `…` stands for
any text; a line that begins with `sooke:` is an error, and nothing is imported then. `records` are fields of the records
afterwards, by collection and slug.
"""

from typing import Any, NamedTuple


class Sheet(NamedTuple):
    title: str
    content: str | bytes
    says: list[str]
    records: dict[str, dict[str, Any]] = {}
    name: str = "shops.csv"
    options: list[str] = []
    town: str = "small"  # or "empty"


TOWN = {
    "categories": [{"name": "Restaurants"}, {"name": "Cafés & Bakeries"}, {"name": "Shops"},
                   {"name": "Lodging"}, {"name": "Health & Wellness"}, {"name": "Shops & Galleries"}],
    "event_types": [{"name": "Live Music"}, {"name": "Workshop"}],
    "businesses": [
        {"name": "The Slack Tide Pub", "category": "restaurants", "address": "6742 West Coast Rd",
         "latitude": 48.37432, "longitude": -123.72541, "phone": "250-555-0101",
         "hours": [{"day_of_week": 5, "open_time": "16:00", "close_time": "23:00"}]},
        {"name": "Driftline Gallery", "category": "shops", "address": "6703 West Coast Rd",
         "latitude": 48.3736, "longitude": -123.7263},
        {"name": "Gumboot Coffee", "category": "cafés-bakeries", "address": "6660 Sooke Rd",
         "latitude": 48.3762, "longitude": -123.7268},
    ],
    "events": [{"name": "Quiz Night", "event_type": "live-music", "business": "the-slack-tide-pub",
                "starts_at": "2027-01-15T03:00:00Z", "status": "approved"}],
}

SHOP = "48.3741,-123.7262"
NEW = ["businesses: 1 new"]


def shop(header: str, cells: str) -> str:
    """A table of one new shop with further columns."""
    return f"name,category,address,latitude,longitude,{header}\nNet Loft,Shops,12 Otter Rd,{SHOP},{cells}\n"


def hours(*spans: tuple[int, str, str]) -> list[dict[str, Any]]:
    return [{"day_of_week": day, "open_time": start + ":00", "close_time": end + ":00"} for day, start, end in spans]


def event(header: str, cells: str) -> str:
    return f"name,event_type,{header}\nJam,Live Music,{cells}\n"


LOFT = "businesses/net-loft"
JAM = "events/jam"

HOURS = [
    Sheet("hours without minutes", shop("monday,tuesday", "9-5,9am-5pm"), NEW,
          {LOFT: {"hours": hours((1, "09:00", "17:00"), (2, "09:00", "17:00"))}}),
    Sheet("hours in words", shop("Mon,Tues", "9 to 5,24 hours"), NEW,
          {LOFT: {"hours": hours((1, "09:00", "17:00"), (2, "00:00", "24:00"))}}),
    Sheet("hours with dashes of a word processor", shop("monday,tuesday", "9:00–17:00,9am — 5pm"), NEW,
          {LOFT: {"hours": hours((1, "09:00", "17:00"), (2, "09:00", "17:00"))}}),
    Sheet("a lunch break", shop("monday,tuesday", '"9-12, 1-5","9:00-12:00 & 13:00-17:00"'), NEW,
          {LOFT: {"hours": hours((1, "09:00", "12:00"), (1, "13:00", "17:00"), (2, "09:00", "12:00"),
                                 (2, "13:00", "17:00"))}}),
    Sheet("a pub past midnight", shop("friday,sunday", "4pm-1am,Closed"), NEW,
          {LOFT: {"hours": [{"day_of_week": 0, "is_closed": True},
                            {"day_of_week": 5, "open_time": "16:00:00", "close_time": "01:00:00"}]}}),
    Sheet("hours of a week in one cell", shop("Hours", '"Mon-Fri 9-5, Sat 10-4, closed Sun"'), NEW,
          {LOFT: {"opening_hours": "Mo-Fr 09:00-17:00; Sa 10:00-16:00"}}),
    Sheet("hours of OpenStreetMap", shop("opening_hours", "Mo-Sa 09:00-17:00; PH off"), NEW,
          {LOFT: {"opening_hours": "Mo-Sa 09:00-17:00; PH off"}}),
    Sheet("hours that can be two", shop("monday", "7-11"),
          ['shops.csv:2: monday: must be hours like 09:00-17:00, 9am-5pm or closed, not "7-11" (character 1: "am" or '
           '"pm" at times that can be both, is expected)', "sooke: 1 problem; nothing was imported"]),
    Sheet("hours that nobody can read", shop("monday", "when it rains"),
          ['shops.csv:2: monday: must be hours like 09:00-17:00, 9am-5pm or closed, not "when it rains" (…)',
           "sooke: 1 problem; nothing was imported"]),
]

PLACES = [
    Sheet("coordinates in one cell", 'name,category,address,coordinates\nNet Loft,Shops,12 Otter Rd,"48.3741, -123.7262"\n',
          NEW, {LOFT: {"latitude": 48.3741, "longitude": -123.7262}}),
    Sheet("a link to a map",
          "name,category,address,Map\nNet Loft,Shops,12 Otter Rd,"
          '"https://www.google.com/maps/place/Net+Loft/@48.38,-123.7,17z/data=!3m1!4b1!4m6!3d48.3741!4d-123.7262"\n',
          NEW, {LOFT: {"latitude": 48.3741, "longitude": -123.7262}}),
    Sheet("a geo address", 'name,category,address,Geo\nNet Loft,Shops,12 Otter Rd,"geo:48.3741,-123.7262"\n', NEW,
          {LOFT: {"latitude": 48.3741, "longitude": -123.7262}}),
    Sheet("a link to OpenStreetMap",
          "name,category,address,map link\nNet Loft,Shops,12 Otter Rd,https://www.openstreetmap.org/#map=19/48.3741/-123.7262\n",
          NEW, {LOFT: {"latitude": 48.3741, "longitude": -123.7262}}),
    Sheet("a short link, which has no place in it",
          "name,category,address,map link\nNet Loft,Shops,12 Otter Rd,https://maps.app.goo.gl/AbCd1234\n",
          ["shops.csv:2: coordinates: …open…", "sooke: 1 problem; nothing was imported"]),
    Sheet("degrees with directions",
          "name,category,address,Lat,Long\nNet Loft,Shops,12 Otter Rd,48.3741° N,123.7262° W\n", NEW,
          {LOFT: {"latitude": 48.3741, "longitude": -123.7262}}),
    Sheet("decimal commas with semicolons",
          "name;category;address;latitude;longitude\nNet Loft;Shops;12 Otter Rd;48,3741;-123,7262\n", NEW,
          {LOFT: {"latitude": 48.3741, "longitude": -123.7262}}),
    Sheet("no place at all", "name,category,address\nNet Loft,Shops,12 Otter Rd\n",
          ["shops.csv:2: coordinates: are missing, and apps show every business on a map; say where the town is with "
           "--center 48.374,-123.726 or a link to a map, and add locations later, or add them now as a map gives them: "
           "48.374, -123.726, a link, or a geo: address",
           "sooke: 1 problem; nothing was imported"]),
    Sheet("no place at all in a town with a center", "name,category,address\nNet Loft,Shops,12 Otter Rd\n",
          ["warning: shops.csv:2: coordinates: are missing: apps show it at the center of the town until you add them, as "
           "a map gives them: 48.374, -123.726, a link, or a geo: address", "settings: 1 changed; businesses: 1 new"],
          {LOFT: {"latitude": None, "longitude": None}}, options=["--center", "48.37,-123.73"]),
    Sheet("zeros for an unknown place",
          "name,category,address,latitude,longitude\nNet Loft,Shops,12 Otter Rd,0,0\n",
          ["warning: shops.csv:2: coordinates: are 0, 0, a place in the ocean; is that meant to be empty?"] + NEW),
    Sheet("a longitude without its minus sign",
          "name,category,address,latitude,longitude\nNet Loft,Shops,12 Otter Rd,48.3741,123.7262\n",
          ["warning: shops.csv:2: coordinates: 48.3741, 123.7262 are not in the time zone of the town; is a minus sign "
           "missing or too much: 48.3741, -123.7262?"] + NEW),
    Sheet("latitude and longitude swapped",
          "name,category,address,latitude,longitude\nNet Loft,Shops,12 Otter Rd,-123.7262,48.3741\n",
          ["shops.csv:2: latitude: must lie between -90 and 90 degrees; are latitude and longitude swapped?",
           "sooke: 1 problem; nothing was imported"]),
]

TEXTS = [
    Sheet("a website without https", shop("website", "www.netloft.example"), NEW,
          {LOFT: {"website": "https://www.netloft.example"}}),
    Sheet("a category in another case", shop("phone", "1").replace(",Shops,", ", SHOPS ,"), NEW,
          {LOFT: {"category": "shops"}}),
    Sheet("a category with a typo", shop("phone", "1").replace(",Shops,", ",Restaurnats,"),
          ['shops.csv:2: category: there is no category "Restaurnats"; did you mean "Restaurants"? Or create it with '
           "--create-categories", "sooke: 1 problem; nothing was imported"]),
    Sheet("a category that is new", shop("phone", "1").replace(",Shops,", ",Book stores,"),
          ["categories: 1 new; businesses: 1 new"], {"categories/book-stores": {"name": "Book stores"}},
          options=["--create-categories"]),
    Sheet("the errors of a spreadsheet", shop("phone,email", "#REF!,#N/A"),
          ["warning: shops.csv:2: phone: holds #REF! instead of its value; the cell was left out",
           "warning: shops.csv:2: email: holds #N/A instead of its value; the cell was left out"] + NEW,
          {LOFT: {"phone": None}}),
    Sheet("a phone number that became a number", shop("phone", "2.50556E+09"),
          ['warning: shops.csv:2: phone: "2.50556E+09" is a number that the spreadsheet rounded; the cell was left out. '
           "Format the column as text"] + NEW, {LOFT: {"phone": None}}),
    Sheet("names of columns as people give them",
          "Business Name,Type,Street Address,Lat.,Lng,Telephone,E-mail,Web site\n"
          f"Net Loft,Shops,12 Otter Rd,{SHOP},250-555-0199,net@loft.example,https://loft.example\n", NEW,
          {LOFT: {"address": "12 Otter Rd", "phone": "250-555-0199", "email": "net@loft.example"}}),
    Sheet("columns that the town has no use for", shop("Fax,Notes,adress2", "1,2,3"),
          ['warning: shops.csv:1: the columns "Fax", "Notes", "adress2" are not known and ignored; did you mean address '
           'for "adress2"?'] + NEW),
    Sheet("a title above the table", "Our shops 2026,,,,\n,,,,\n" + shop("phone", "1"),
          ["warning: shops.csv:1: the columns are named in row 3; what stands above it was ignored"] + NEW),
    Sheet("rows are counted as the spreadsheet counts them",
          'name,category,address,latitude,longitude,description\nNet Loft,Shops,12 Otter Rd,48.3741,-123.7262,"Nets,\nropes,\n'
          'floats"\n\nBad,Shops,1 A St,48.3741,91x,\n',
          ['shops.csv:4: longitude: must be a number like 48.374, not "91x"', "sooke: 1 problem; nothing was imported"]),
    Sheet("a mistake in every row is one message",
          "name,category,address,latitude,longitude\n" + "".join(
              f"Shop {n},Bookshop,{n} A St,{SHOP}\n" for n in range(1, 41)),
          ['shops.csv:2: category: there is no category "Bookshop"; … (40 like this: also in 3, 4, 5, 6, 7, 8, 9, …)',
           "sooke: 40 problems; nothing was imported"]),
    Sheet("a likely duplicate", "name,category,address,latitude,longitude\nSlack Tide Pub,Restaurants,6742 West Coast Rd,"
          "48.3744,-123.7254\n",
          ['warning: shops.csv:2: name: "Slack Tide Pub" is probably "The Slack Tide Pub", which is there already; to '
           "change that one, give its slug: the-slack-tide-pub"] + NEW),
    Sheet("a comma that nobody quoted", f"name,category,address,latitude,longitude\nNet Loft,Shops,12 Otter Rd, Unit 4,{SHOP}\n",
          ["shops.csv:2: has 6 cells, but the table has 5 columns; put a cell with a comma or a semicolon in it into "
           "quotes", "sooke: 1 problem; nothing was imported"]),
    Sheet("rows that end early", f"name,category,address,latitude,longitude,phone,email\nNet Loft,Shops,12 Otter Rd,{SHOP}\n",
          NEW, {LOFT: {"phone": None}}),
]

FORMS = [
    Sheet("Excel's line with the separator", f"sep=;\r\nname;category;address;latitude;longitude\r\nNet Loft;Shops;12 Otter Rd;"
          "48,3741;-123,7262\r\n", NEW, {LOFT: {"latitude": 48.3741}}),
    Sheet("a byte order mark", b"\xef\xbb\xbf" + shop("phone", "1").encode(), NEW),
    Sheet("tabs", shop("phone", "1").replace(",", "\t"), NEW, name="shops.tsv"),
    Sheet("Unicode text of Excel", shop("phone", "1 ☎").replace(",", "\t").encode("utf-16"), NEW,
          {LOFT: {"phone": "1 ☎"}}, name="shops.txt"),
    Sheet("Windows-1252", shop("phone", "1").replace("Net Loft", "Café Zoë").encode("cp1252"),
          ["shops.csv:2: is not UTF-8 text; save the file as UTF-8 (spreadsheets call it CSV UTF-8)",
           "sooke: 1 problem; nothing was imported"]),
    Sheet("an Excel workbook", b"PK\x03\x04" + b"\0" * 26 + b"[Content_Types].xml" + b"\xff" * 99,
          ['shops.xlsx:1: is an Excel workbook (.xlsx); save it there as "CSV UTF-8" (File, Save as or Download), and '
           "import that file", "sooke: 1 problem; nothing was imported"], name="shops.xlsx"),
    Sheet("a web page saved as CSV", "<!DOCTYPE html>\n<html><body>Sign in</body></html>\n",
          ["shops.csv:1: is a web page, not a table; download the table itself, as CSV",
           "sooke: 1 problem; nothing was imported"]),
    Sheet("an empty file", "", ["shops.csv:1: is empty; the first row of a table names its columns",
                                "sooke: 1 problem; nothing was imported"]),
]

EVENTS = [
    Sheet("a local time is that of the town", event("starts_at,ends_at", "2027-06-01 19:00,2027-06-01 21:30"),
          ["events: 1 new"], {JAM: {"starts_at": "2027-06-02T02:00:00Z", "ends_at": "2027-06-02T04:30:00Z"}}),
    Sheet("a local time in another zone", event("starts_at", "2027-06-01 19:00"), ["events: 1 new"],
          {JAM: {"starts_at": "2027-06-01T17:00:00Z"}}, options=["--time-zone", "Europe/Berlin"]),
    Sheet("date and time in columns of their own",
          "Event,Type,Date,Start time,End time,Venue\nJam,live music,\"Tuesday, June 1, 2027\",7:00 PM,1 am,Slack Tide Pub\n",
          ['shops.csv:2: business: there is no business "Slack Tide Pub"; did you mean "The Slack Tide Pub"? Or import it '
           "first, or leave the cell empty and give coordinates", "sooke: 1 problem; nothing was imported"]),
    Sheet("a venue by its name",
          "Event,Type,Date,Start time,End time,Venue\nJam,live music,\"Tuesday, June 1, 2027\",7:00 PM,1 am,the slack tide pub\n",
          ["events: 1 new"], {JAM: {"starts_at": "2027-06-02T02:00:00Z", "ends_at": "2027-06-02T08:00:00Z",
                                    "business": "the-slack-tide-pub"}}),
    Sheet("a date of the United States", event("starts_at", "6/13/2027 7:00 PM"), ["events: 1 new"],
          {JAM: {"starts_at": "2027-06-14T02:00:00Z"}}),
    Sheet("a date that can be two", event("starts_at", "6/7/2027 7:00 PM"),
          ['shops.csv:2: starts_at: "6/7/2027 7:00 PM" can be 2027-06-07 or 2027-07-06; write one of these, the year '
           "first", "sooke: 1 problem; nothing was imported"]),
    Sheet("a date as the spreadsheet stores it", event("starts_at", "46539.79"),
          ['shops.csv:2: starts_at: "46539.79" is how a spreadsheet stores a date; give the column a format like '
           "2027-06-01 19:00", "sooke: 1 problem; nothing was imported"]),
    Sheet("an abbreviation of a zone", event("starts_at", "2027-06-01 19:00 PST"),
          ['shops.csv:2: starts_at: leave "PST" out: times are those of the town\'s clocks, or of the zone in the column '
           "time_zone", "sooke: 1 problem; nothing was imported"]),
    Sheet("a status in words", event("starts_at,status", "2027-06-01 19:00,Pending review"), ["events: 1 new"],
          {JAM: {"status": "pending_review"}}),
    Sheet("events that differ in one field", "slug,status\nquiz-night,cancelled\n", ["events: 1 changed"],
          {"events/quiz-night": {"status": "cancelled"}}),
]

OTHERS = [
    Sheet("points of GeoJSON",
          '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":'
          '[-123.7262,48.3741]},"properties":{"name":"Net Loft","shop":"fishing","addr:housenumber":"12",'
          '"addr:street":"Otter Rd","opening_hours":"Mo-Fr 09:00-17:00"}}]}',
          NEW, {LOFT: {"address": "12 Otter Rd", "latitude": 48.3741, "opening_hours": "Mo-Fr 09:00-17:00",
                       "category": "shops"}},
          name="shops.geojson", options=["--category", "Shops"]),
    Sheet("a vCard",
          "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Net Loft\r\nORG:Net Loft Ltd\r\nADR;TYPE=WORK:;;12 Otter Rd;Sooke;BC;V9Z 0A1;"
          "Canada\r\nTEL;TYPE=WORK:250-555-0199\r\nURL:https://loft.example\r\nGEO:48.3741;-123.7262\r\n"
          "CATEGORIES:Shops\r\nNOTE:Nets\\, ropes\r\nEND:VCARD\r\n",
          NEW, {LOFT: {"phone": "250-555-0199", "latitude": 48.3741, "category": "shops", "description": "Nets, ropes"}},
          name="shops.vcf"),
    Sheet("a calendar",
          "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:1@x.example\r\n"
          "DTSTAMP:20261124T000000Z\r\nDTSTART;TZID=America/Vancouver:20270601T190000\r\nDURATION:PT2H\r\n"
          "RRULE:FREQ=WEEKLY;COUNT=4\r\nSUMMARY:Jam\r\nLOCATION:The Slack Tide Pub\\, 6742 West Coast Rd\r\n"
          "CATEGORIES:Live Music\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
          ["events: 1 new"], {"events/jam-6edc10": {"starts_at": "2027-06-02T02:00:00Z", "ends_at": "2027-06-02T04:00:00Z",
                                    "business": "the-slack-tide-pub", "rrule": "FREQ=WEEKLY;COUNT=4",
                                    "status": "approved"}},
          name="events.ics"),
    Sheet("a first table", shop("phone", "1").replace(",Shops,", ",restaurants,"),
          ['shops.csv:2: category: there is no category "restaurants"; create it with --create-categories, or begin with '
           "a set of them: --starter", "sooke: 1 problem; nothing was imported"], town="empty"),
    Sheet("a first table with the starter set", shop("phone", "1").replace(",Shops,", ",restaurants,"),
          ["sooke: the town has the clocks of …", "categories: 10 new; event types: 10 new; businesses: 1 new"],
          {LOFT: {"category": "restaurants"}},
          options=["--starter"], town="empty"),
    Sheet("a dry run names what would change",
          "name,slug,category,address,latitude,longitude,phone\n"
          f",the-slack-tide-pub,Restaurants,6742 West Coast Rd,48.37432,-123.72541,250-555-0102\n"
          f"Net Loft,,Shops,12 Otter Rd,{SHOP},1\n".replace(",the-slack", "The Slack Tide Pub,the-slack"),
          ["businesses: 1 new, 1 changed (a dry run: nothing was written)",
           "  changed: the-slack-tide-pub: phone", "  new: Net Loft (net-loft)"], options=["--dry-run"]),
]

MORE = [
    Sheet("hours of an afternoon without am and pm", shop("monday,friday", "9:00-5:00,10:00 - 2:00"), NEW,
          {LOFT: {"hours": hours((1, "09:00", "17:00"), (5, "10:00", "14:00"))}}),
    Sheet("hours of several days in a column", shop("Hours Mon-Fri,Sat", "9am-5pm,10-4"), NEW,
          {LOFT: {"hours": hours(*((day, "09:00", "17:00") for day in range(1, 6)), (6, "10:00", "16:00"))}}),
    Sheet("closed on some days, and nothing about the others", shop("hours", "closed Mondays"),
          ["shops.csv:2: opening_hours: must be hours like …", "sooke: 1 problem; nothing was imported"]),
    Sheet("hours that a spreadsheet took for a date", shop("monday", "5-Sep"),
          ["shops.csv:2: monday: …a spreadsheet made a date of the hours…", "sooke: 1 problem; nothing was imported"]),
    Sheet("words for nothing", shop("phone,email,website,hours,monday", "N/A,none,-,TBD,—"), NEW,
          {LOFT: {"phone": None, "email": None, "website": None, "hours": []}}),
    Sheet("what programs put around a value", shop("phone,email,website",
          '"=""250-642-1234""",mailto:net@loft.example,"=HYPERLINK(""https://loft.example"",""site"")"'), NEW,
          {LOFT: {"phone": "250-642-1234", "email": "net@loft.example", "website": "https://loft.example"}}),
    Sheet("spaces and line breaks around a name", shop("phone", "1").replace("Net Loft", '"  Net\n Loft\u00a0"'), NEW,
          {LOFT: {"name": "Net Loft"}}),
    Sheet("a column that nobody knows may be the reason", f"name,category,Civic Adress,latitude,longitude\nNet Loft,Shops,12 Otter Rd,{SHOP}\n",
          ['warning: shops.csv:1: the column "Civic Adress" is not known and ignored', "shops.csv:2: address: must not be empty",
           "sooke: 1 problem; nothing was imported"]),
    Sheet("no column with names", f"Trader,category,address,latitude,longitude\nNet Loft,Shops,12 Otter Rd,{SHOP}\n",
          ['shops.csv:1: name: the column is missing; rename the one with the names to name (there is "Trader", …), or add a '
           "slug", "sooke: 1 problem; nothing was imported"]),
    Sheet("the branches of a chain", f"name,category,address,latitude,longitude\nTim's,Restaurants,10 Main,{SHOP}\n"
          "Tim's,Restaurants,6660 Sooke Rd,48.3842,-123.7077\n", ["businesses: 2 new"],
          {"businesses/tims-10-main": {"address": "10 Main"}, "businesses/tims-6660-sooke-rd": {"address": "6660 Sooke Rd"}}),
    Sheet("the same row twice", f"name,category,address,latitude,longitude\n" + f"Tim's,Restaurants,10 Main,{SHOP}\n" * 2,
          ['shops.csv:3: slug: "tims-10-main" stands in line 2 too; leave one of the rows out or, if they are not the same, '
           'give one a slug of its own in a column "slug"', "sooke: 1 problem; nothing was imported"]),
    Sheet("another address for a name that is there", "name,category,address,latitude,longitude\nDriftline Gallery,Shops,"
          "1 Other St,48.39,-123.70\n",
          ['warning: shops.csv:2: address: replaces that of "Driftline Gallery", which is there already; if this is another '
           'branch, give it a slug of its own in a column "slug"', "businesses: 1 changed"]),
    Sheet("a rounded place", f"name,category,address,latitude,longitude\nNet Loft,Shops,12 Otter Rd,4.84E+01,-1.24E+02\n",
          ['shops.csv:2: latitude: "4.84E+01" is a number that the spreadsheet rounded; format the column with five decimals',
           'shops.csv:2: longitude: "-1.24E+02" is a number that the spreadsheet rounded; format the column with five decimals',
           "sooke: 2 problems; nothing was imported"]),
    Sheet("one date shows the order of the others", "name,event_type,starts_at\nA,Live Music,6/7/2027 7pm\nB,Live Music,6/18/2027 7pm\n",
          ["warning: shops.csv:1: dates are read as month/day/year, since some of them can only be that", "events: 2 new"],
          {"events/a": {"starts_at": "2027-06-08T02:00:00Z"}}),
    Sheet("an end in the afternoon", "name,event_type,date,start time,end time\nJam,Live Music,2027-06-18,10:00,2:00\n",
          ["events: 1 new"], {JAM: {"ends_at": "2027-06-18T21:00:00Z"}}),
    Sheet("another day of the week", event("starts_at", '"Sunday, June 14, 2027 7pm"'),
          ['shops.csv:2: starts_at: "Sunday, June 14, 2027 7pm" is a Monday; correct the date or the day of the week',
           "sooke: 1 problem; nothing was imported"]),
    Sheet("midnight after a date, and the time beside it", "name,event_type,date,time\nJam,Live Music,2027-06-13 00:00:00,7:00 PM\n",
          ["events: 1 new"], {JAM: {"starts_at": "2027-06-14T02:00:00Z"}}),
    Sheet("story time on several dates", "name,event_type,date,time\n" + "".join(
              f"Story Time,Workshop,2027-06-{day:02},10am\n" for day in (1, 8, 15)), ["events: 3 new"],
          {"events/story-time-2027-06-08": {"starts_at": "2027-06-08T17:00:00Z"}}),
    Sheet("buildings of OpenStreetMap, and a bench",
          '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":'
          '[[[-123.73,48.37],[-123.72,48.37],[-123.72,48.38],[-123.73,48.37]]]},"properties":{"@id":"way/1","building":"yes",'
          '"name":"Net Loft","addr:housenumber":"12","addr:street":"Otter Rd"}},{"type":"Feature","geometry":{"type":'
          '"Point","coordinates":[-123.7,48.3]},"properties":{"amenity":"bench"}}]}',
          ["warning: shops.geojson:1: 1 feature without a name was skipped, the first one here; …"] + NEW,
          {LOFT: {"latitude": 48.375, "longitude": -123.725}}, name="shops.geojson", options=["--category", "Shops"]),
    Sheet("OpenStreetMap's own format", '{"version":0.6,"elements":[{"type":"node","id":1}]}',
          ["town.json:1: …GeoJSON…", "sooke: 1 problem; nothing was imported"], name="town.json"),
    Sheet("the end of time", event("starts_at,ends_at", "2027-06-01 19:00,9999-12-31 23:59"),
          ["shops.csv:2: ends_at: …9999…", "sooke: 1 problem; nothing was imported"]),
]

SHEETS = HOURS + PLACES + TEXTS + FORMS + EVENTS + OTHERS + MORE
