/// Pairs of texts in ascending order: captured from glibc 2.36 (`strcoll` under en_US.UTF-8, then bytes). Each kind of
/// text has pairs that letters, accents, case, symbols and bytes decide.
let collationPairs: [(lesser: String, greater: String)] = [
    // Combining marks.
    ("\u{FE68}\u{301}\u{301}", "\u{9D21}\u{301}\u{FE68}\u{301} "),
    ("\u{5B0}\u{342}A\u{340} ", "\u{342}\u{5B0}\u{342}A\u{340} "),
    ("\u{20D0}\u{20D0}\u{20D0}\u{327}\u{327}\u{20D0}\u{20D0}", "\u{20D0}\u{20D0}\u{20D0}\u{327}\u{20D0}\u{20D0}"),
    ("1b2--1", "\u{64B}1b2--1"), ("b", "B"), ("\u{93C}\u{5B1}a\u{1FC1}", "\u{93C}\u{5B1}a\u{1FC1}\u{1FC1}"),
    ("-----AA", "----AA"), (" -\u{20D0}- \u{20D0}-", " \u{20D0}-- \u{20D0}-"),
    // Anything.
    ("\u{11139}\u{11139}\u{772A}\u{772A}", "\u{11139}\u{772A}\u{11139}\u{772A}"),
    ("\u{1D317}\u{F9B6}\u{564}\u{1D317}\u{597C}\u{1D317}", "\u{335}\u{1D317}\u{F9B6}\u{564}\u{597C}\u{1D317}"),
    ("\u{1F039}\u{144FD}\u{1812}\u{C}", "\u{144FD}\u{1812}\u{C}"),
    // Latin letters and punctuation.
    ("\u{E1}'A\u{DF}'\u{A3B6}\u{3046}\u{C1}A\u{C1}.", "\u{A3B6}\u{DF}A\u{C1}A.."),
    (" --\u{E4}-aaZ", " --\u{E4}-a\u{C1}Z"), ("\u{C5}\u{E4}\u{C5}\u{E4}", "\u{E4}\u{C5}\u{C5}\u{E4}"), ("bbB", "bBb"),
    ("zZZZzzZ", "ZzzZzzZ"), ("Z", "Z-"), ("'b\u{E1}.Be\u{E1} ", "'b\u{E1}.Be\u{E1}."), ("B&&B&&B&B&", "B&&B&&BB&"),
    // ASCII.
    ("", "\u{14}rr\u{14}\u{14}r"), ("+R88\u{B}R\u{4}", "+R88\u{B}\u{B}R\u{4}"),
    ("\u{1}S\u{1}SSRSR0\u{1}S", "\u{1}S\u{1}SSRSR0S\u{1}"), ("b", "\u{C}\u{1F560}\u{C}\u{F}B\u{F}"),
    ("L\u{A}", "L\u{A}\u{10}"), ("<<<\u{1A}\u{1A}<<", "<<<<\u{1A}\u{1A}<\u{1A}<<"),
    ("\u{4}\u{4}\u{4}.\u{4}\u{4}\u{4}\u{4}.\u{4}\u{4}", "."),
    // Ideographs.
    ("\u{3021}\u{3021}\u{3021}\u{3021}\u{3021}\u{3021}\u{3021}", "\u{9FA5}\u{3021}\u{9FA5}\u{3021}\u{9FA5}\u{9FA5}"),
    ("\u{3021}\u{3400}\u{F900}\u{9FA6} \u{3021} \u{F900}", "\u{3021}\u{3400}\u{F900}\u{9FA6}\u{3021}  \u{F900}"),
    ("\u{9FA5}\u{4E01}\u{3400}!", "\u{9FA5}\u{4E01}\u{3400}!!"), ("", "\u{20000}"),
    ("\u{4E00}\u{3400}\u{9FA6}\u{4E01}!!\u{4E00}", "\u{4E00}\u{9FA6}\u{3400}\u{4E01}!!\u{4E00}"),
    // Contractions.
    ("\u{E16}", "\u{E21}"),
    ("\u{654}\u{654}\u{654}\u{654}\u{654}\u{654}\u{1993}", "\u{654}\u{654}\u{654}\u{654}\u{654}\u{654}\u{654}\u{1993}"),
    ("\u{AAA9}\u{AAA9}\u{ECD}\u{ECD}\u{AAA9}", "\u{AAA9}\u{AAA9}\u{ECD}\u{AAA9}\u{ECD}"),
    ("\u{AA83}\u{AAB9}\u{AA88}\u{AA83}\u{AAB9}\u{19B5}", "\u{AA83}\u{AAB9}\u{AA88}\u{AAB9}\u{AA83}\u{19B5}"),
    ("\u{266A}\u{E94}\u{DD9}", "\u{E94}\u{266A}\u{DD9}"),
    ("\u{E41}\u{E41}\u{E10}\u{E10}\u{E10}\u{E41}", "\u{E41}\u{E41}\u{E10}\u{E10}\u{E41}\u{E10}"),
    // Emoji.
    ("\u{A1A3}\u{1F313}", "\u{A1A3}\u{1F313}\u{A1A3}"),
    ("\u{1F300}\u{1F306}\u{1F30E}\u{1F3FB}", "\u{1F3FB}\u{1F300}\u{1F3FB}\u{1F306}\u{1F300}\u{1F30E}\u{1F3FB}"),
    ("\u{1F318}\u{1F309}", "\u{1F3FB}\u{1F309}"),
    // Greek and Cyrillic.
    ("\u{3DA}\u{3E2}", "\u{3DA}\u{3E2}\u{3DA}\u{3DA}\u{3DA}\u{3DA}\u{3DA}\u{3DA}\u{3DA}"),
    ("\u{52C}\u{3CD}\u{483}", "\u{52C}\u{483}\u{3CD}"),
    ("\u{46D}\u{484}\u{484}\u{484}\u{46D}", "\u{46D}\u{484}\u{484}\u{484}\u{484}\u{46D}"),
    ("\u{499}\u{498}\u{498}", "\u{498}\u{498}\u{499}"),
    ("\u{4D7}\u{8CAA}\u{8CAA}\u{1D8AF}\u{3B2}\u{4D7}\u{4D7}", "\u{4D7}\u{8CAA}\u{8CAA}\u{3B2}\u{4D7}\u{4D7}"),
    ("", "\u{378}"), ("\u{4DF}\u{374}\u{4D7}\u{4F0}", "\u{4DF}\u{4D7}\u{4F0}"),
    // Hangul.
    ("\u{1161}\u{1100}\u{1161}\u{1100}\u{1161}", "\u{1161}\u{1161}\u{1100}\u{1100}\u{1161}"),
    ("1!a\u{1100}\u{1161}   \u{1100}\u{1100}", "1a\u{1100}  \u{1161} \u{1100}\u{1100}"),
    ("\u{AC01}\u{AC01}", "\u{D7A3}\u{AC01}"),
    // Hebrew and Arabic.
    ("\u{661}\u{59D}\u{5F6}\u{5C3}\u{5C3}\u{670}", "\u{661}\u{59D}\u{661}\u{5F6}\u{5C3}\u{670}"),
    ("\u{697}\u{5B1}\u{5B1}\u{697}\u{5B1}\u{5B1}", "\u{5B1}\u{697}\u{5B1}\u{697}\u{5B1}\u{5B1}"),
    ("\u{65C}\u{65C}\u{65C}\u{671}\u{65C}\u{65C}\u{65C}", "\u{65C}\u{65C}\u{65C}\u{671}\u{65C}\u{65C}\u{65C}\u{65C}"),
    ("\u{5C7}\u{679}\u{5B6}\u{5C3}\u{5B6}", "\u{657}\u{5C7}\u{679}\u{5C3}\u{5B6}\u{5B6}"),
    ("\u{5D7}\u{607}\u{685}", "\u{5D7}\u{685}"), ("", "\u{5F7}\u{610}"), ("\u{590}\u{590}", "\u{590}\u{5C8}"),
    // Indic scripts.
    ("\u{CAC}\u{CAC}\u{CAC}\u{C6B}\u{C6B}\u{CAC}", "\u{CAC}\u{CAC}\u{CAC}\u{CAC}\u{CAC}"), ("", "\u{983}"),
    ("\u{A53}\u{A53}\u{D1A}\u{A53}", "\u{A53}\u{A53}\u{D1A}\u{2286}"), ("\u{A9B}\u{A9B}", "\u{A9B}\u{A9B}\u{DE0}"),
    ("\u{C49}\u{9A8}", "\u{9A8}\u{C49}"), ("\u{9D1}", "\u{B96}"),
    // Kana and Bopomofo.
    ("\u{3036}\u{3036}\u{3036}\u{304E}\u{313F}", "\u{305D}\u{305D}\u{313F}\u{304E}\u{313F}\u{3036}\u{3036}"),
    ("", "\u{302F}"), ("\u{ABC}\u{31DA}\u{18DC}\u{31DA}", "\u{ABC}\u{31DA}\u{31DA}\u{18DC}"), ("\u{304A}", "\u{30AA}"),
    ("\u{303D}\u{303D}\u{317C}\u{30BD}\u{303D}\u{30BD}", "\u{303D}\u{317C}\u{30BD}\u{303D}\u{30BD}"),
    ("\u{31C3}\u{31C3}\u{31C3}\u{3129}\u{3049}", "\u{31C3}\u{3129}\u{3049}"),
    ("\u{3040}\u{30A7}\u{3040}\u{3040}\u{3040}", "\u{30A7}\u{3040}\u{3040}\u{3040}\u{3040}"),
    ("\u{31BE}\u{3097}", "\u{31BE}\u{31BE}"),
    // Latin with marks.
    ("\u{226}\u{216}", "\u{11E}\u{226}"), ("\u{13D}\u{13D}", "\u{13F}\u{13D}"),
    ("\u{1F332}\u{1D4}\u{1F332}\u{1D4}", "\u{1D4}\u{1F332}\u{1D4}"),
    ("\u{EF}\u{41C}\u{2CFB}\u{2CFB}\u{41C}", "\u{EF}\u{41C}\u{2CFB}\u{41C}\u{2CFB}"), ("", "\u{1F843}"),
    // Ligatures, fractions, enclosed letters.
    ("\u{AA}a\u{B2}a\u{AA}", "\u{AA}d\u{B2}aa\u{AA}"), ("o\u{A6F1}\u{2234}i\u{A6F1}", "oi\u{A6F1}\u{2234}\u{A6F1}"),
    ("K\u{1C5}\u{1C5}fK\u{1C4}", "K\u{1C5}\u{1C4}fK\u{1C4}"),
    ("\u{1C5}\u{688E}\u{BD}\u{1C5}\u{1F03F}\u{B2}", "\u{1C5}\u{688E}\u{BD}\u{1C5}\u{B2}"),
    // A mixture.
    ("", "\u{981}"),
    ("\u{10}\u{E10}\u{E10}\u{301}\u{301}e\u{E78}", "\u{10}\u{E10}\u{E10}\u{301}\u{E78}\u{301}e\u{20000}"),
    ("\u{342}\u{E10}\u{342}\u{342}\u{342}:", "\u{342}\u{342}\u{E10}\u{342}\u{342}\u{342}:"),
    ("\u{D7A3}\u{D7A3}", "\u{D7A3}\u{D7A3}\u{D7A3}"), ("\u{E61}\u{4E2D}\u{E61}", "\u{4E2D}\u{E61}\u{E61}"),
    ("", "\u{2}"), ("\u{5FB}\u{E73}", "\u{E73}\u{5FB}"),
    // Thai.
    ("\u{E5D}\u{E4D}\u{E4D}", "\u{E5F}\u{E5B}\u{E4D}\u{E4D}\u{E4D}\u{E5D}"),
    ("\u{E79}\u{E4F}\u{5C0E}\u{E4F}\u{E2B}\u{E2B}\u{E61}\u{E79}", "\u{E79}\u{E4F}\u{5C0E}\u{E2B}\u{E2B}\u{E61}\u{E4D}"),
    ("\u{E1B}\u{E14}\u{E47}\u{E0C}\u{E21}", "\u{E1B}\u{E14}\u{E47}\u{E47}\u{E0C}\u{E21}"),
    ("\u{E4A}\u{E0E}\u{E4A}", "\u{E4A}\u{E4A}\u{E0E}\u{E4A}"), ("\u{E3D}\u{E24}\u{E24}", "\u{E24}\u{E79}\u{E24}"),
    ("\u{E1A}\u{E1C}\u{E77}\u{E77}\u{E1C}\u{E77}\u{E53}\u{E3A}", "\u{E1A}\u{E1C}\u{E77}\u{E77}\u{E1C}\u{E53}\u{E3A}"),
    ("\u{E79}\u{E79}\u{E3B}\u{E79}\u{E3B}\u{E3B}", "\u{E79}\u{E79}\u{E79}\u{E79}\u{E3B}\u{E3B}"),
    // Controls, private use, unassigned.
    ("\u{7F}", " aaa \u{7F} \u{200E}\u{200E}"), ("\u{AD}\u{80}a1\u{AD}a\u{80}", "\u{AD}a\u{80}\u{AD}1a\u{E000}"),
    ("", "\u{AD}\u{A0}\u{F8FF}\u{E000}\u{E000}\u{A0}\u{A0}\u{E000}"),
    ("\u{1}\u{1}\u{200B}\u{1}", "\u{1}\u{1}\u{200B}\u{1}\u{200B}"),
    ("\u{FFFF}\u{F8FF}\u{80}\u{80}", "\u{FFFF}\u{FFFF}\u{80}\u{80}"),
]
