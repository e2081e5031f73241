/** The fonts of statements, and the texts of users in them. */
import { readFileSync } from 'node:fs';
import type { Font } from 'fontkit';
import type { PdfLibrary } from './load-pdf-library.ts';

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** Instead of characters that cannot be printed. The font has no glyph for U+FFFD either. */
const REPLACEMENT = '[?]';

/** Two have the characters of the texts; the third one, which is slower, those of names too. */
export const FONTS = ['regular', 'semibold', 'names'] as const;
export type FontName = (typeof FONTS)[number];

export function readFont(name: FontName): Buffer {
  return readFileSync(new URL(`statement-${name}.ttf`, import.meta.url));
}

function isFont(font: ReturnType<PdfLibrary['create']>): font is Font {
  return 'hasGlyphForCodePoint' in font;
}

/** Which characters a font has. */
export function createCoverage(
  { create }: PdfLibrary,
  name: FontName,
): (character: string) => boolean {
  const font = create(readFont(name));
  if (!isFont(font)) throw new Error(`the font ${name} is a collection`);
  return (character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
}

/**
 * Makes texts of users printable. A letter that the font of names has only without its accent loses
 * it; other characters that it lacks, which would be empty boxes, become one sign.
 */
export function createPrintable(library: PdfLibrary): (text: string) => string {
  const has = createCoverage(library, 'names');
  const hasAll = (text: string): boolean => text !== '' && [...text].every(has);
  return (text) => {
    const printed: string[] = [];
    for (const { segment } of SEGMENTER.segment(text.normalize('NFC'))) {
      const found = [segment, segment.normalize('NFD').replaceAll(/\p{M}/gu, '')].find(hasAll);
      if (found !== undefined) printed.push(found);
      else if (printed.at(-1) !== REPLACEMENT) printed.push(REPLACEMENT);
    }
    return printed.join('');
  };
}
