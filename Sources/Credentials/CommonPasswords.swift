/// What is guessed first. The list is short because the length of a password already refuses the most common ones.
enum CommonPasswords {
    /// Whole passwords in lower case that are long enough and do not show in their pieces how common they are.
    static let whole: Set<String> = [
        "correcthorsebatterystaple", "correct horse battery staple", "correct-horse-battery-staple",
        "thequickbrownfox", "the quick brown fox", "thequickbrownfoxjumpsoverthelazydog", "tobeornottobe",
        "to be or not to be", "maytheforcebewithyou", "may the force be with you", "onceuponatime",
        "once upon a time", "itwasadarkandstormynight", "twinkletwinklelittlestar", "thisismypassword",
        "this is my password", "thisisapassword", "thisisasecret", "idontknow1234", "idontremember",
        "nopasswordforyou", "nothingtoseehere", "openthedoorplease", "pleaseletmein1", "ilovemyfamily",
        "ilovemymother", "ilovemyhusband", "ilovemywife1", "ilovemykids1", "ilovemydaughter", "ilovejesuschrist",
        "jesuslovesme1", "godisgoodallthetime", "inthenameofgod", "jesuschrist1", "liverpoolfc1892",
        "manchesterunited", "manchestercity", "chelseafootballclub", "realmadridfc1", "youllneverwalkalone",
        "torontomapleleafs", "montrealcanadiens", "edmontonoilers", "harrypotter123", "lordoftherings",
        "gameofthrones", "winteriscoming", "thematrixhasyou", "breakingbad123", "hakunamatata1",
        "supercalifragilistic", "metallica123", "ledzeppelin1", "thebeatles123", "backstreetboys", "justinbieber1",
        "taylorswift13", "britishcolumbia", "beautifulbc123", "ferdinand1234", "alexander1234", "christopher1",
        "christopher123", "elizabeth123", "stephanie123", "temporarypassword", "summervacation", "happybirthday",
        "happynewyear1", "merrychristmas", "goodmorning123", "blink182blink182", "computer12345", "internet12345",
    ]

    /// Words in lower case that stand in very many passwords: each is one piece, and no more.
    static let words = [
        "password", "passwort", "passw", "motdepasse", "passphrase", "secret", "welcome", "letmein", "changeme",
        "iloveyou", "trustno", "login", "admin", "administrator", "superuser", "master", "default", "guest", "access",
        "monkey", "dragon", "shadow", "sunshine", "princess", "football", "baseball", "basketball", "hockey", "soccer",
        "superman", "batman", "pokemon", "starwars", "charlie", "michael", "jennifer", "jessica", "ashley", "daniel",
        "summer", "winter", "autumn", "spring", "january", "february", "march", "april", "june", "july", "august",
        "september", "october", "november", "december", "monday", "tuesday", "wednesday", "thursday", "friday",
        "saturday", "sunday", "hello", "whatever", "freedom", "flower", "cookie", "ginger", "pepper", "love",
        "sooke", "victoria", "vancouver", "canada", "canucks", "columbia", "island",
        "2020", "2021", "2022", "2023", "2024", "2025", "2026", "2027", "2028", "2029", "2030",
    ]
}
