/// Names of a town in their order, each with searches that find it.
let collationNames: [(name: String, searches: [String])] = [
    ("€2 Store", ["€2 store", "€2 Store", "€2 STORE", "2", "store"]),
    ("Aether Arts", ["aether arts", "Aether Arts", "AETHER ARTS", "æther", "arts"]),
    ("Æther Studio", ["æther studio", "Æther Studio", "ÆTHER STUDIO", "aether", "studio"]),
    ("Ångström Labs", ["ångström labs", "A\u{30A}ngstro\u{308}m Labs", "ÅNGSTRÖM LABS", "angstrom", "labs"]),
    ("Ärzte am Hafen", ["ärzte am hafen", "A\u{308}rzte am Hafen", "ÄRZTE AM HAFEN", "arzte", "hafen"]),
    ("Åse's Knits", ["åse's knits", "A\u{30A}se's Knits", "ÅSE'S KNITS", "ases", "ase"]),
    ("🥐 Bakery 🥐", ["🥐 bakery 🥐", "🥐 Bakery 🥐", "🥐 BAKERY 🥐", "bakery", "BAKERY"]),
    ("Café \"Le Coin\"", ["café \"le coin\"", "Cafe\u{301} \"Le Coin\"", "CAFÉ \"LE COIN\"", "coin", "cafe"]),
    ("Cafe Vivo", ["cafe vivo", "Cafe Vivo", "CAFE VIVO", "café", "vivo"]),
    ("Café Zoë", ["café zoë", "Cafe\u{301} Zoe\u{308}", "CAFÉ ZOË", "cafe", "zoe"]),
    ("Çelik Çay", ["çelik çay", "C\u{327}elik C\u{327}ay", "ÇELIK ÇAY", "celik", "cay"]),
    ("co op", ["co op", "co op", "CO OP", "co", "op"]),
    ("co-op", ["co-op", "co-op", "CO-OP", "coop", "co op"]),
    ("Coop", ["coop", "Coop", "COOP", "coop", "COOP"]),
    ("Đà Lạt Café", ["đà lạt café", "Đa\u{300} La\u{323}t Cafe\u{301}", "ĐÀ LẠT CAFÉ", "da lat", "cafe"]),
    ("Ecole Journey", ["ecole journey", "Ecole Journey", "ECOLE JOURNEY", "école", "journey"]),
    ("École Poirier", ["école poirier", "E\u{301}cole Poirier", "ÉCOLE POIRIER", "ecole", "poirier"]),
    ("Iggy's", ["iggy's", "Iggy's", "IGGY'S", "iggys", "iggy"]),
    ("İstanbul Grill", ["İstanbul Grill", "I\u{307}stanbul Grill", "İSTANBUL GRILL", "istanbul", "grill"]),
    (
        "Ḵwantlen First Nation",
        [
            "ḵwantlen first nation", "K\u{331}wantlen First Nation", "ḴWANTLEN FIRST NATION", "kwantlen",
            "k\u{332}wantlen",
        ]
    ),
    ("L'Épicerie", ["l'épicerie", "L'E\u{301}picerie", "L'ÉPICERIE", "lepicerie", "epicerie"]),
    (
        "L’Épicerie du Port",
        ["l’épicerie du port", "L’E\u{301}picerie du Port", "L’ÉPICERIE DU PORT", "l'epicerie", "port"]
    ),
    ("Łukasz Plumbing", ["łukasz plumbing", "Łukasz Plumbing", "ŁUKASZ PLUMBING", "lukasz", "plumbing"]),
    ("Ñandú", ["ñandú", "N\u{303}andu\u{301}", "ÑANDÚ", "nandu", "ñandu"]),
    ("Nguyen Nails", ["nguyen nails", "Nguyen Nails", "NGUYEN NAILS", "nguyễn", "nails"]),
    (
        "Nguyễn Noodle House",
        ["nguyễn noodle house", "Nguye\u{302}\u{303}n Noodle House", "NGUYỄN NOODLE HOUSE", "nguyen", "noodle"]
    ),
    ("№ 9 Gallery", ["№ 9 gallery", "№ 9 Gallery", "№ 9 GALLERY", "9 gallery", "GALLERY 9"]),
    ("O'Brien's", ["o'brien's", "O'Brien's", "O'BRIEN'S", "obriens", "o’brien’s"]),
    ("Œufs du Jour", ["œufs du jour", "Œufs du Jour", "ŒUFS DU JOUR", "oeufs", "jour"]),
    ("Øystein Boats", ["øystein boats", "Øystein Boats", "ØYSTEIN BOATS", "oystein", "boats"]),
    ("Peña Nieto Tacos", ["peña nieto tacos", "Pen\u{303}a Nieto Tacos", "PEÑA NIETO TACOS", "pena", "tacos"]),
    ("Phở Sài Gòn", ["phở sài gòn", "Pho\u{31B}\u{309} Sa\u{300}i Go\u{300}n", "PHỞ SÀI GÒN", "pho", "sai gon"]),
    ("SENĆOŦEN", ["senćoŧen", "SENC\u{301}OŦEN", "SENĆOŦEN", "sencoten", "senćoŧen"]),
    (
        "Sḵwx\u{331}wú7mesh",
        ["sḵwx\u{331}wú7mesh", "Sk\u{331}wx\u{331}wu\u{301}7mesh", "SḴWX\u{331}WÚ7MESH", "skwxwu7mesh", "skwxwú7mesh"]
    ),
    ("Sooke™ Tire", ["sooke™ tire", "Sooke™ Tire", "SOOKE™ TIRE", "sooke tire", "TIRE"]),
    ("Ştefan's", ["ştefan's", "S\u{327}tefan's", "ŞTEFAN'S", "stefans", "stefan"]),
    ("Ste-Foy Bakery", ["ste-foy bakery", "Ste-Foy Bakery", "STE-FOY BAKERY", "ste foy", "stefoy"]),
    (
        "☕\u{FE0F} Stick in the Mud",
        ["☕\u{FE0F} stick in the mud", "☕\u{FE0F} Stick in the Mud", "☕\u{FE0F} STICK IN THE MUD", "stick", "mud"]
    ),
    ("Strasse 10", ["strasse 10", "Strasse 10", "STRASSE 10", "straße", "10"]),
    ("Straße 9", ["straße 9", "Straße 9", "STRASSE 9", "strasse", "9"]),
    ("SȾÁUTW\u{331}", ["sⱦáutw\u{331}", "SȾA\u{301}UTW\u{331}", "SȾÁUTW\u{331}", "stautw", "sȾautw"]),
    ("T’Sou-ke Arts", ["t’sou-ke arts", "T’Sou-ke Arts", "T’SOU-KE ARTS", "t'sou-ke", "arts"]),
    ("T'Sou-ke Nation", ["t'sou-ke nation", "T'Sou-ke Nation", "T'SOU-KE NATION", "tsou ke", "T’SOU-KE"]),
    (
        "TʼSou-ke Smokehouse",
        ["tʼsou-ke smokehouse", "TʼSou-ke Smokehouse", "TʼSOU-KE SMOKEHOUSE", "t'sou-ke", "smokehouse"]
    ),
    ("W\u{331}JOȽEȽP", ["w\u{331}joƚeƚp", "W\u{331}JOȽEȽP", "W\u{331}JOȽEȽP", "wjolelp", "W\u{331}JOLELP"]),
    (
        "W\u{331}SÁNEĆ School",
        ["w\u{331}sáneć school", "W\u{331}SA\u{301}NEC\u{301} School", "W\u{331}SÁNEĆ SCHOOL", "wsanec", "school"]
    ),
    (
        "xʷməθkʷəy\u{313}əm",
        ["xʷməθkʷəy\u{313}əm", "xʷməθkʷəy\u{313}əm", "XʷMƏΘKʷƏY\u{313}ƏM", "xwmeθkweyem", "xwməθkwəyəm"]
    ),
    ("Žižek Books", ["žižek books", "Z\u{30C}iz\u{30C}ek Books", "ŽIŽEK BOOKS", "zizek", "books"]),
    ("Zoë's Zoo", ["zoë's zoo", "Zoe\u{308}'s Zoo", "ZOË'S ZOO", "zoes", "zoo"]),
    ("Þórr Brewing", ["þórr brewing", "Þo\u{301}rr Brewing", "ÞÓRR BREWING", "thorr", "brewing"]),
    ("ʔaq\u{313}am", ["ʔaq\u{313}am", "ʔaq\u{313}am", "ʔAQ\u{313}AM", "ʔaqam", "ʔAQAM"]),
    ("Άγιος Νικόλαος", ["άγιος νικόλαος", "Α\u{301}γιος Νικο\u{301}λαος", "ΆΓΙΟΣ ΝΙΚΌΛΑΟΣ", "αγιος", "νικολαος"]),
    ("Ελλάδα", ["ελλάδα", "Ελλα\u{301}δα", "ΕΛΛΆΔΑ", "ελλαδα", "Ελλαδα"]),
    ("Ἑλλάς Taverna", ["ἑλλάς taverna", "Ε\u{314}λλα\u{301}ς Taverna", "ἙΛΛΆΣ TAVERNA", "ελλας", "taverna"]),
    ("Ὀδυσσεύς", ["ὀδυσσεύς", "Ο\u{313}δυσσευ\u{301}ς", "ὈΔΥΣΣΕΎΣ", "οδυσσευς", "οδυσσευσ"]),
    ("Дом Книги", ["дом книги", "Дом Книги", "ДОМ КНИГИ", "дом", "книги"]),
    ("Ежи", ["ежи", "Ежи", "ЕЖИ", "ежи", "ЕЖИ"]),
    ("Ёлка", ["ёлка", "Е\u{308}лка", "ЁЛКА", "елка", "ЁЛКА"]),
    ("Жар-птица", ["жар-птица", "Жар-птица", "ЖАР-ПТИЦА", "жарптица", "жар птица"]),
    ("ᐃᖃᓗᐃᑦ", ["ᐃᖃᓗᐃᑦ", "ᐃᖃᓗᐃᑦ", "ᐃᖃᓗᐃᑦ", "ᐃᖃᓗᐃᑦ", "ᐃᖃᓗᐃᑦ"]),
]
