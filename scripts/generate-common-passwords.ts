/**
 * Writes `service/src/identity/common-password-md5s.txt`: MD5s of common passwords. Clients
 * send MD5s only, so the service can compare nothing else. Run it again after editing the lists.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const WORDS =
  `password passwort passw0rd p@ssword p@ssw0rd pass pwd secret admin administrator root user guest
test tester testing demo default changeme welcome login letmein letmeinnow access master system
server computer internet network security private public temp temporary dragon monkey monkeys
shadow sunshine princess football baseball basketball soccer hockey tennis superman batman
spiderman ironman starwars pokemon pikachu naruto minecraft fortnite roblox nintendo playstation
xbox gamer ninja samurai warrior knight wizard phoenix iloveyou loveyou lovely love loveme lover
forever always babygirl baby sweetie angel angels heaven jesus christ god blessed faith hope
michael michelle jordan jennifer jessica ashley amanda andrew anthony daniel david robert thomas
william george charlie charles joshua matthew nicole natasha samantha hannah sophia olivia emma
isabella maria anna sarah laura linda martin peter steven patrick richard alexander alex chris
christian justin brandon tyler kevin jason maxwell oliver harry jack james john joseph benjamin
samuel lucas noah ethan liam mason logan aiden jacob hunter cooper buster bailey ginger pepper
maggie molly lucky rocky tigger snoopy garfield fluffy summer winter spring autumn january
february march april june july august september october november december monday friday sunday
london paris berlin madrid moscow istanbul newyork texas dallas chicago boston california florida
america england france germany canada mexico brazil china india japan russia turkey egypt africa
europe australia liverpool arsenal chelsea manchester barcelona realmadrid juventus yankees
cowboys steelers lakers eagles packers patriots raiders redsox giants ferrari porsche mercedes
bmw honda toyota mustang corvette camaro harley yamaha suzuki kawasaki ducati chocolate cookie
banana orange apple cherry strawberry peanut coffee whiskey vodka cheese pizza burger chicken
butter sugar candy flower flowers rose daisy lily orchid violet purple yellow silver golden
diamond crystal ruby emerald black white green blue red pink killer hacker hello hello1 goodbye
whatever nothing everything something trustno1 freedom liberty justice peace victory winner
champion legend hero money dollar rich bitcoin ethereum crypto wallet blockchain satoshi hodl
lambo tothemoon edgenetwork account business office company manager student teacher school
college university library music guitar piano drummer metallica nirvana eminem beatles elvis
prince queen king marley matrix gandalf frodo hobbit startrek stargate terminator rambo avatar
merlin arthur camelot zeus apollo athena hercules mercury saturn jupiter neptune pluto galaxy
universe planet rocket space earth ocean river mountain forest island beach storm thunder
lightning tornado hurricane fire qwerty qwertz azerty asdfgh zxcvbn qazwsx qweasd asdf zxcv qwer
keyboard samsung google facebook twitter instagram youtube netflix amazon microsoft windows linux
ubuntu debian android iphone macbook oracle cisco mysql postgres docker kubernetes jenkins github
mother father sister brother family daughter husband wife friend friends bestfriend buddy honey
darling sexy hottie cutie beauty beautiful gorgeous pretty handsome smile happy lucky7 crazy
stupid idiot fuckyou fuckoff asshole bullshit bitch pussy dick contrasena hola amor teamo
tequiero mariposa estrella corazon princesa hermosa bonita senha brasil flamengo corinthians
motdepasse bonjour soleil chouchou doudou marseille azertyuiop hallo schatz sommer geheim ficken
passwort1 wachtwoord welkom heslo haslo polska kochanie parola ciao amore juve napoli roma
salasana losenord sifre galatasaray fenerbahce besiktas privet lubov natasha parol woaini
woaini520 mima wang zhang chen taobao weixin alibaba sakura kakashi doraemon hanoi anhyeuem
bismillah allah mohammed ahmed sayang rahasia indonesia kucing mahal manila pilipinas krishna
ganesh shivam om namah sairam hyderabad mumbai delhi bangalore pakistan`
    .split(/\s+/)
    .filter(Boolean);

const SUFFIXES = ['', '1', '12', '123', '1234', '!', '01'];
const CAPITAL_SUFFIXES = ['', '1', '123', '!'];

const WALKS =
  `qwertyuiop qwertyui qwerty12 qwerty123 qwerty1234 1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1zaq1
1q2w3e4r 1q2w3e4r5t 1q2w3e 1q2w3e4 q1w2e3r4 q1w2e3 qazwsxedc qazwsx123 asdfghjkl asdfghjk
asdf1234 asdfasdf zxcvbnm zxcvbnm123 poiuytrewq lkjhgfdsa mnbvcxz qweasdzxc qwe123 qwer1234
asd123 zxc123 abc123 abcd1234 abcdef abcdefg abcdefgh a1b2c3 a1b2c3d4 a123456 a12345678 aa123456
aaa111 1a2b3c 123abc 123qwe 123asd 12qwaszx 1qazxsw2 !qaz2wsx 1234qwer 12345qwert 123456a
1234567a 123456789a 987654321 9876543210 87654321 7654321 654321 54321 4321 0987654321 0123456789
01234567 147258369 147258 159753 159357 258456 741852963 789456123 789456 456789 321654987 112233
11223344 1122334455 121212 123123 123123123 123321 1234321 123454321 101010 131313 232323 252525
420420 246810 135790 102030 10203040 520520 5201314 1314520 696969 007007 11111111 987654 666999
112358 314159 31415926 xxxxxx zzzzzz aaaaaa aaaaaaaa abcabc passpass testtest adminadmin rootroot
toor letmein! Pa$$w0rd P@$$w0rd Passw0rd! P@ssw0rd1 P@ssw0rd123 Admin@123 Welcome@123
Password@123 Password1! Password123! Qwerty123! Aa123456! Aa123456 Abc123456 Abcd1234 Abc@1234
iloveyou2 iloveyou! ncc1701 thx1138 rush2112 blink182 mypassword mypass nopassword none null
undefined`
    .split(/\s+/)
    .filter(Boolean);

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

function collect(): Set<string> {
  const all = new Set(['', ...WALKS]);
  for (const word of WORDS) {
    for (const suffix of SUFFIXES) all.add(word + suffix);
    for (const suffix of CAPITAL_SUFFIXES) all.add(capital(word) + suffix);
  }
  for (let digit = 0; digit <= 9; digit++)
    for (let length = 1; length <= 12; length++) all.add(String(digit).repeat(length));
  for (let length = 1; length <= 10; length++) all.add('1234567890'.slice(0, length));
  for (let year = 1940; year <= 2026; year++) all.add(`${year}${year}`);
  return all;
}

const md5s = [...collect()]
  .map((password) => createHash('md5').update(password).digest('hex'))
  .sort();
writeFileSync(
  new URL('../service/src/identity/common-password-md5s.txt', import.meta.url),
  `${md5s.join('\n')}\n`,
);
console.log(`${md5s.length} passwords`);
