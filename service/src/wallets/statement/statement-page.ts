/** The paper of a statement: lines of text from the top of a page to its end, then the next one. */

import { SERVICE_NAME } from '../../lib/service-name.ts';
import type { PdfLibrary } from './load-pdf-library.ts';
import { createCoverage, FONTS, type FontName, readFont } from './printable.ts';

const MARGIN = 48;
const WIDTH = 595.28;
const HEIGHT = 841.89;
const LEFT = MARGIN;
const RIGHT = WIDTH - MARGIN;
const BOTTOM = HEIGHT - MARGIN - 20;
const FOOTER = HEIGHT - MARGIN;
const LINE = 1.5;
const MARK = 28;
/** Of the square in which the console draws the same mark (`console/src/components/brand.tsx`). */
const MARK_UNITS = 32;
const COLORS = {
  ink: '#16201b',
  dimmed: '#5a6660',
  accent: '#0c7349',
  rule: '#c3ccc7',
  hairline: '#e6eae8',
} as const;

/** In points. */
export const TEXT_SIZE = 7.5;

/**
 * Without features the library keeps the glyphs of every word for ever, and a statement has numbers
 * that do not come again.
 */
const UNCACHED = { features: [] };

/** Of one line; `align` names the edge that `x` is. */
export interface Cell {
  readonly text: string;
  readonly x: number;
  readonly align?: 'left' | 'right';
}

export interface LineStyle {
  readonly size?: number;
  readonly isBold?: boolean;
  /** With the characters of names. */
  readonly isName?: boolean;
  readonly color?: keyof typeof COLORS;
}

export interface Letterhead {
  /** Who makes the statement, and where: at the top of the first page. */
  readonly name: string;
  readonly address: string;
  /** Of the document. */
  readonly title: string;
  readonly language: string;
  readonly madeAt: Date;
  /** At the foot of every page. */
  footer(page: number): string;
}

type Document = InstanceType<PdfLibrary['PDFDocument']>;

/** Three nodes of a network, as the console shows them. */
function drawMark(doc: Document, x: number, y: number): void {
  doc
    .save()
    .translate(x, y)
    .scale(MARK / MARK_UNITS);
  doc.roundedRect(0, 0, MARK_UNITS, MARK_UNITS, 9).fill(COLORS.accent);
  doc.path('M16 9.5 9.6 21M16 9.5 22.4 21M11 22.5h10').lineWidth(1.8).strokeOpacity(0.55);
  doc.stroke('#fff').strokeOpacity(1);
  doc.circle(16, 9, 3.4).fill('#fff');
  doc.circle(9.2, 22.2, 2.7).circle(22.8, 22.2, 2.7).fill('#a3dfc1');
  doc.restore();
}

function openDocument(
  { PDFDocument }: PdfLibrary,
  { title, name, language, madeAt }: Letterhead,
): Document {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    // None of the fonts that the library brings.
    font: '',
    info: { Title: title, Author: name, CreationDate: madeAt },
    lang: language,
  });
  for (const font of FONTS) doc.registerFont(font, readFont(font));
  return doc;
}

/**
 * Lines of text, one below the other. Pages are given away as they are filled, so the document is
 * never in memory as a whole. The fonts have no tables of shaping: a statement has no text that
 * needs them, and each takes time.
 */
export class Paper {
  readonly left = LEFT;
  readonly right = RIGHT;
  readonly #doc: Document;
  readonly #letterhead: Letterhead;
  /** The name needs a font of its own. */
  readonly #isRareName: boolean;
  #y = 0;
  #pages = 0;

  constructor(library: PdfLibrary, letterhead: Letterhead) {
    this.#doc = openDocument(library, letterhead);
    this.#letterhead = letterhead;
    const { name, address } = letterhead;
    this.#isRareName = ![...name].every(createCoverage(library, 'semibold'));
    this.#addPage();
    const isOwnName = name === SERVICE_NAME;
    if (isOwnName) drawMark(this.#doc, LEFT, this.#y);
    this.#y = MARGIN + 5;
    const nameAt = isOwnName ? LEFT + MARK + 10 : LEFT;
    const nameStyle = { size: 13, isBold: true, isName: this.#isRareName };
    this.line([{ text: name, x: nameAt }], nameStyle);
    this.#y = MARGIN + 8;
    this.line([{ text: address, x: RIGHT, align: 'right' }], { size: 9, color: 'dimmed' });
    this.#y = MARGIN + MARK + 28;
  }

  #choose(font: FontName, { size = TEXT_SIZE, color = 'ink' }: LineStyle): number {
    this.#doc.font(font).fontSize(size).fillColor(COLORS[color]);
    return size * LINE;
  }

  #write({ text, x, align = 'left' }: Cell): void {
    const at = align === 'right' ? x - this.#doc.widthOfString(text, UNCACHED) : x;
    this.#doc.text(text, at, this.#y, { ...UNCACHED, lineBreak: false });
  }

  #addPage(): void {
    const { name, address, footer } = this.#letterhead;
    this.#doc.addPage();
    this.#pages += 1;
    this.#y = FOOTER;
    const cells: Cell[] = [
      { text: `${name} – ${address}`, x: LEFT },
      { text: footer(this.#pages), x: RIGHT, align: 'right' },
    ];
    this.line(cells, { color: 'dimmed', isName: this.#isRareName });
    this.#y = MARGIN;
  }

  /** How wide a text of the usual size is. */
  measure(text: string, isBold = false): number {
    this.#choose(isBold ? 'semibold' : 'regular', {});
    return this.#doc.widthOfString(text, UNCACHED);
  }

  line(cells: readonly Cell[], style: LineStyle = {}): void {
    const { isBold = false, isName = false } = style;
    const height = this.#choose(isName ? 'names' : isBold ? 'semibold' : 'regular', style);
    for (const cell of cells) this.#write(cell);
    this.#y += height;
  }

  /** A text, also of a user, of as many lines as it needs up to the right edge. */
  paragraph(text: string, x: number, style: LineStyle = {}): void {
    const height = this.#choose('names', style);
    const lineGap = height - this.#doc.currentLineHeight(true);
    this.#doc.text(text, x, this.#y, { ...UNCACHED, width: RIGHT - x, lineGap });
    this.#y = this.#doc.y;
  }

  /** How high that is, in the usual size. */
  measureParagraph(text: string, x: number): number {
    const lineGap = this.#choose('names', {}) - this.#doc.currentLineHeight(true);
    return this.#doc.heightOfString(text, { ...UNCACHED, width: RIGHT - x, lineGap });
  }

  rule(color: keyof typeof COLORS = 'rule'): void {
    const line = this.#doc.moveTo(LEFT, this.#y).lineTo(RIGHT, this.#y);
    line.lineWidth(0.5).strokeColor(COLORS[color]).stroke();
    this.#y += 4;
  }

  gap(height: number): void {
    this.#y += height;
  }

  /** Begins a page where less than `height` is left. @returns whether it did */
  reserve(height: number): boolean {
    if (this.#y + height <= BOTTOM) return false;
    this.#addPage();
    return true;
  }

  /** What is finished since the last call. */
  take(): Buffer[] {
    const chunk: unknown = this.#doc.read();
    return chunk instanceof Buffer ? [chunk] : [];
  }

  /** The rest. */
  async *end(): AsyncGenerator<Buffer> {
    this.#doc.end();
    for await (const chunk of this.#doc) if (chunk instanceof Buffer) yield chunk;
  }
}
