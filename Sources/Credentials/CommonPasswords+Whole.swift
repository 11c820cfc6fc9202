// Made by Tests/Generators/CommonPasswords/generate.py; not to be edited by hand.

extension CommonPasswords {
    /// Passwords in the order of their bytes, with spaces between.
    static let listed: StaticString = #"""
        000000000000 010203040506 012345678910 014702580369 01telemike01 0r968ji9ufj6 102030405060 111111111111 11111111\#
        1111111 1111111111zz 111222333000 111222333444555 111222tianya 112233445566 122333444455555 123123123123 123123q\#
        weqwe 123321123321 123321456654 123321qweewq 123456123456 123456654321 123456782000 1234567887654321 1234567890-\#
        = 123456789000 12345678900987654321 1234567890123 12345678901234567890 1234567890987654321 1234567890qaz 1234567\#
        890qw 1234567890qwe 1234567890qwerty 1234567890qwertyuiop 1234567890zzz 123456789101 1234567891011 1234567891011\#
        12 123456789123 123456789123456 1234567891234567 123456789123456789 1234567892000 12345678987654321 123456789987\#
        654321 123456789abc 123456789asd 123456789qaz 123456789qqq 123456789qwe 123456789qwer 123456789qwerty 123456789z\#
        xc 1234567qwertyu 123456qwerty 1234qwerasdf 1234qwerasdfzxcv 123admin321a 123qwe123qwe 123qwe456rty 123qweasdzxc\#
         123qwerty123 12qw34er56ty 159753159753 159753456852 1a2s3d4f5g6h 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1\#
        q2w3e4r5t6y7u8i9o 1q2w3e4r5t6y7u8i9o0p 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 1\#
        qazxsw23edcvfr4 23176djivanfros 31217221027711 32615948worms 41d8cd98f00b 4815162342lost 520love101182 541233432\#
        442 5532361cnjqrf 59382113kevinp 742617000027 89231243658s 89876065093rax a1s2d3f4g5h6 abc123456789 admin1853336\#
        2 an83546921an13 arabella24630 asdfgh123456 asdfghjkl123 auckland2010 boy4u2ownnyc chickenwing101 christopher1 c\#
        ombat123654 demon1q2w3e4r demon1q2w3e4r5t devilmaycry4 dfg5fhg5vgfh1 domainlock2005 doomsayer.2.7mords.v doomsay\#
        er.2.7mords.vv ezekiel11991 fallen_angel g13916055158 ghhh47hj7649 hawkesbury93 hd764nw5d7e1vb1 iampurehaha2 ina\#
        ctive1996aug jamesbond007 jkiuztdftl57 john!20130605at1753 jundian2011xr knackwurst8853 laurel12creek leliane509\#
        34 lhbjkjubz2957704 lightpower12345 linkedin2011 liverpool123 lost4815162342 lydcc20091314 m01759766727 mailcrea\#
        ted5240 maprchem56458 marek14michal mega_pizdetz666 megaparol12345 minecraft123 minnesota_hp n8zgt5p0shw= natiic\#
        hen999 nemvxyheqdd5oqxyxyzi neworleans12345 newproject2004 nhfdvfnjkju123 p030710p$e4o paraklast1974 password123\#
        4 password12345 password123456 pe#5gz29ptzmse playstation2 playstation3 polniypizdec0211 polniypizdec1102 polniy\#
        pizdec110211 q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 qaz123wsx456 qazwsxedc123 qazxswe\#
        dc123 qwe123qwe123 qweasdzxc123 qwegta13091990 qwerty123456 qwerty123456789 qwertyuiop10 qwertyuiop12 qwertyuiop\#
        123 qwertyuiop12345 qwertyuiop[] rfnthbyf1988 s8ylpe9jdpvym saun24865709 sdf7asdf6asdg8df sebastian106 sojdlg123\#
        aljg somanypickles27 starwarsfan10 stefangreil1983 stickdaddy77 total12scherz vitor1268123 warhammer40k weronika\#
        1992 xantria10315 xtseo2011tdx xxxp455w0rd5 yandi20080527 yemi19900911 yfdbufnjh10305070 z1x2c3v4b5n6m7 zaq1xsw2\#
        cde3 zmx870919123 zqjphsyf6ctifgu zxcasdqwe123 zxcvbn123456 zxcvbnm123456789
        """#
}
