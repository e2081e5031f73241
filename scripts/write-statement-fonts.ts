/**
 * `npm run statement-fonts -- FOLDER`: the fonts of statements, with the characters of their texts
 * and of most names, and the licence. FOLDER is an unpacked `@expo-google-fonts/noto-sans-sc` 0.4.3
 * (SIL Open Font License), which is not a dependency because it has nine weights of ten megabytes.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { LANGUAGES, textsOf } from '../service/src/lib/language.ts';
import { FONTS, type FontName } from '../service/src/wallets/statement/printable.ts';
import { writeMonth } from '../service/src/wallets/statement/statement-texts.ts';

const REGULAR = '400Regular/NotoSansSC_400Regular.ttf';
const SEMIBOLD = '600SemiBold/NotoSansSC_600SemiBold.ttf';
/** Shaping takes time for each text, and none of these needs it. */
const DROPPED = new Set(['BASE', 'GDEF', 'GPOS', 'GSUB', 'STAT', 'vhea', 'vmtx']);
const HEAD_BYTES = 12;
const ENTRY_BYTES = 16;

/** A font file without some of its tables (OpenType 1.9, "Table Directory"). */
function dropTables(font: Buffer): Buffer {
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, index) =>
    font.subarray(HEAD_BYTES + ENTRY_BYTES * index, HEAD_BYTES + ENTRY_BYTES * (index + 1)),
  ).filter((entry) => !DROPPED.has(entry.toString('latin1', 0, 4)));
  const power = Math.floor(Math.log2(entries.length));
  const head = Buffer.alloc(HEAD_BYTES);
  font.copy(head, 0, 0, 4);
  head.writeUInt16BE(entries.length, 4);
  head.writeUInt16BE(2 ** power * ENTRY_BYTES, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE((entries.length - 2 ** power) * ENTRY_BYTES, 10);
  let offset = HEAD_BYTES + ENTRY_BYTES * entries.length;
  const tables = entries.map((entry) => {
    const [start, length] = [entry.readUInt32BE(8), entry.readUInt32BE(12)];
    const table = Buffer.alloc(Math.ceil(length / 4) * 4);
    font.copy(table, 0, start, start + length);
    entry.writeUInt32BE(offset, 8);
    offset += table.length;
    return table;
  });
  return Buffer.concat([head, ...entries, ...tables]);
}

const range = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));

/** Every character of the texts, and printable ASCII. */
const TEXTS = [
  ...range(0x20, 0x7e),
  '–',
  ...LANGUAGES.map((language) => JSON.stringify(textsOf(language).statement)).join(''),
  ...listMonths(),
];

function listMonths(): string[] {
  const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month)));
  return LANGUAGES.flatMap((language) => months.flatMap((from) => [...writeMonth(from, language)]));
}

/** The characters of two bytes in an encoding: the first in a range, the second from `low` on. */
function listEncoded(encoding: string, first: number, last: number, low: number): string[] {
  const decoder = new TextDecoder(encoding);
  const found: string[] = [];
  for (let high = first; high <= last; high += 1)
    for (let second = low; second <= 0xfe; second += 1)
      found.push(decoder.decode(Uint8Array.of(high, second)));
  return found.filter((text) => [...text].length === 1);
}

/** What names and remarks are written with, as far as the font has it. */
const NAMES = [
  ...TEXTS,
  // Latin, Greek, Cyrillic, punctuation, kana, full width.
  ...range(0xa0, 0x17f),
  ...range(0x370, 0x45f),
  ...range(0x1e00, 0x1eff),
  ...range(0x2010, 0x2044),
  ...range(0x3000, 0x30ff),
  ...range(0xff01, 0xff5e),
  // The everyday characters of simplified and of traditional Chinese.
  ...listEncoded('gb2312', 0xb0, 0xf7, 0xa1),
  ...listEncoded('big5', 0xa4, 0xc6, 0x40),
];

const SUBSETS: Readonly<Record<FontName, readonly [string, readonly string[]]>> = {
  regular: [REGULAR, TEXTS],
  semibold: [SEMIBOLD, TEXTS],
  names: [REGULAR, NAMES],
};

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder of @expo-google-fonts/noto-sans-sc');
for (const name of FONTS) {
  const [file, characters] = SUBSETS[name];
  const font = readFileSync(join(folder, file));
  const text = [...new Set(characters)].join('');
  const subset = await subsetFont(font, text, { targetFormat: 'truetype' });
  const path = new URL(`../service/src/wallets/statement/statement-${name}.ttf`, import.meta.url);
  writeFileSync(path, dropTables(subset));
}
copyFileSync(
  join(folder, 'LICENSE_FONT'),
  new URL('../service/src/wallets/statement/statement-fonts-license.txt', import.meta.url),
);
