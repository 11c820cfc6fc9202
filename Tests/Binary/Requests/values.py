"""Values at the edges of what forms, headers and bodies hold; the same dice give the same values."""

import random
from datetime import date, timedelta

Dice = random.Random
LARGEST, SMALLEST = "9223372036854775807", "-9223372036854775808"
NUMBERS = [
    LARGEST, SMALLEST, LARGEST, SMALLEST, "0", "-0", "1", "-1", "2", "100", "101", "65536", "4294967296", "1e19",
    "9223372036854775808", "-9223372036854775809", "9223372036854", "18446744073709551616", "-62167219201",
    "253402300800", "99999999999999999999999999", "nan", "-inf", "Infinity", "1e999", "-1e308", "5e-324", "0.5",
    "0x10", "+1", " 1", "1_000", "١٢", "", ".", "1e", "--1"]
REAL_DAYS = [*["9999-12-31", "0000-01-01"] * 4, "9999-12-30", "9998-12-31", "0000-02-29", "0001-01-01", "1582-10-10",
             "1969-12-31", "2028-02-29", "2027-03-14", "2027-11-07"]  # the last have 23 and 25 hours in some places
DAYS = [*REAL_DAYS, "2027-02-29", "10000-01-01", "-0001-12-31", "0000-00-00", "2027-13-01", "2027-1-1", ""]
CLOCKS = ["00:00", "00:00:00", "07:00", "09:30", "12:00:01", "23:59:59", "24:00", "24:00:00", "23:59:60", "24:01",
          "12:60", "-1:00", ""]
OFFSETS = ["Z", "Z", "-08:00", "+00:00", "+14:00", "-12:00", "+23:59", "-23:59", "+24:00", ""]
ZONES = ["America/Vancouver", "Europe/Dublin", "Pacific/Kiritimati", "Asia/Kolkata", "UTC", "Pacific/Niue",
         "Africa/Monrovia", "Etc/GMT+12", "nowhere", "../UTC", ""]
TIMES = ["7 pm", "11 pm", "11:59 pm", "12 am", "noon", "midnight", "0:00", "24:00", "25:00", "7", "19h30", "9-5", "-1"]
HOURS = ["9 to 5", "9-5", "closed", "11:30-2, 5-10", "22-3", "0-24", "8 pm - late", "17:00+", "23:59-24:00",
         "12 am - 12 am", "9-5, 9-5", "25-26", "", ", ".join(["1-2"] * 40)]
RULES = [
    "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=TU", "FREQ=DAILY;COUNT=3", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=YEARLY",
    "FREQ=DAILY;UNTIL=99991231T235959Z", "FREQ=DAILY;UNTIL=00000101T000000Z", "FREQ=YEARLY;INTERVAL=9999",
    f"FREQ=DAILY;INTERVAL={LARGEST}", f"FREQ=YEARLY;COUNT={LARGEST}", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;BYWEEKNO=-53", "FREQ=YEARLY;BYYEARDAY=366", "FREQ=MONTHLY;BYSETPOS=-366", "FREQ=MONTHLY;BYDAY=53MO",
    "FREQ=SECONDLY", "FREQ=DAILY;BYHOUR=25", "FREQ=WEEKLY;WKST=SU;INTERVAL=2;BYDAY=MO,SU", "FREQ=DAILY;COUNT=0", ""]
OPENING_HOURS = [
    "Mo-Fr 09:00-17:00", "24/7", "Mo-Fr 09:00-17:00; PH off", "Mo-Su 22:00-26:00", "9999 Dec 31 10:00-12:00",
    "0000 Jan 01 10:00-12:00", "10000 Jan 01 10:00", f"week 01-53/{LARGEST} 10:00-11:00", "Mo[-5] 10:00-12:00",
    f"easter +{LARGEST} days off", "easter -366 days 09:00-10:00", "Dec 31-Jan 01 23:59-24:00", "Feb 29 off",
    "sunrise-sunset", "Mo-Fr 00:00-48:00", "2026-9999 Mo 10:00-11:00", "SH,PH 10:00-12:00 || closed", "; ; ;", "\"x\""]
PLACES = ["48.37, -123.72", "90, 180", "-90, -180", "90.0000001, 0", "nan, nan", "1e308, 1e308", "5e-324, -0",
          "https://www.openstreetmap.org/?mlat=48.3&mlon=-123.7", "geo:48.37,-123.72;u=nan", "999°99'99\"N 1°W", ""]
MAILS = ["kim@town.example", "x@town.example", "a@b", "@", "", "x@town.example\r\nBcc: y@town.example",
         "é@town.example", "x@" + "a" * 240 + ".example"]
SITES = ["https://kelp.example/", f"https://kelp.example:{LARGEST}", "javascript:1", "https://[::1]/", "https://[", "//",
         "https://kelp.example/" + "a" * 1900, ""]
PRICES = ["4.50", "0", "99999999.99", "100000000", "1e8", "-1", "4.555", "4,50", "nan", LARGEST, ""]
LETTERS = ["x", "é", "ώ", "𝄞", "🦦", "\u0301", "\u200d", "\u202e", "\u2028", "\u0000", "\t", "\n", "\r\n", "<", "&",
           "\"", "'", "%", "\\", " ", "İ", "ﬃ", "\u0600", "\uffff", "\U0010ffff", "a\u0316\u0301"]
LENGTHS = [1, 2, 50, 101, 200, 201, 500, 501, 1000, 2001, 10_000, 10_001, 32_000]
WORDS = ["Kelp", "Harbour", "Otter", "Driftwood", "Sunset", "Café", "Fish & Chips", "Soup", "Night Market", "Open Mic"]
TOKENS = [*NUMBERS, "null", "true", "[]", "{}", "\"x\"", "-", "1E400", "01", "[[[[[[[[[[1]]]]]]]]]]"]
# By the name of a field: values of which the first two are the usual.
BY_NAME = {"rrule": RULES, "opening_hours": OPENING_HOURS, "time_zone": ZONES, "price": PRICES, "center": PLACES,
           "location": PLACES, "website": SITES, "holidays": ["CA-BC", "CA-AB", "none", "XX"], "email": MAILS,
           "place": ["Slack Tide", "", "Kelp"], "phone": ["250-555-0101"], "repeat": ["listed"]}


def number(dice: Dice) -> str:
    return dice.choice(NUMBERS) if dice.random() < 0.9 else str(dice.getrandbits(dice.randrange(1, 80)) - (1 << 40))


def day(dice: Dice, edge: float = 0.4) -> str:
    """A day of this year or the next, or one at an edge, or of any year."""
    if dice.random() >= edge:
        return (date.today() + timedelta(dice.randrange(400))).isoformat()
    any_year = f"{dice.randrange(10_000):04}-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02}"
    return dice.choice([dice.choice(DAYS if dice.random() < 0.2 else REAL_DAYS)] * 2 + [any_year])


def moment(dice: Dice, edge: float = 0.4) -> str:
    """A day and a time with an offset, as the API has it; one in ten of those at an edge is none."""
    if dice.random() >= edge:
        return f"{day(dice, 0)}T{dice.randrange(24):02}:{dice.choice(['00', '30'])}:00{dice.choice(OFFSETS[:3])}"
    is_odd = dice.random() < 0.1
    clock = dice.choice(CLOCKS if is_odd else CLOCKS[:6])
    fraction = dice.choice(["", "", ".999999"] + [".9999999999"] * is_odd)
    offset = dice.choice(OFFSETS if is_odd else OFFSETS[:6])
    return dice.choice(DAYS if is_odd else REAL_DAYS) + "T" + clock + ":00" * (len(clock) == 5) + fraction + offset


def words(dice: Dice) -> str:
    """A text as people write it."""
    return " ".join(dice.choice(WORDS) for _ in range(dice.randrange(1, 4))) + f" {dice.randrange(1000)}"


def text(dice: Dice) -> str:
    """A text at an edge: many of one letter, or some of each."""
    if dice.random() < 0.7:
        return dice.choice(LETTERS) * dice.choice(LENGTHS)
    return "".join(dice.choice(LETTERS) for _ in range(dice.choice(LENGTHS) // 2 + 1))


def edge(dice: Dice) -> str:
    """A value that is at the edge of something."""
    kinds = [NUMBERS, NUMBERS, DAYS, CLOCKS, ZONES, TIMES, HOURS, RULES, OPENING_HOURS, PLACES, MAILS, SITES, PRICES]
    kind = dice.randrange(len(kinds) + 4)
    return dice.choice(kinds[kind]) if kind < len(kinds) else text(dice) if kind > len(kinds) else moment(dice)


def named(dice: Dice, name: str, share: float) -> str | None:
    """A value for a field by its name, at an edge as often as `share` says; None for a name that says nothing."""
    found = BY_NAME.get("email" if "email" in name else name)
    return None if found is None else dice.choice(found if dice.random() < share else found[:2])
