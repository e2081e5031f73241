/** What a statement begins with: in each currency the balances, and what lies between them. */
import type { StatementChange } from '../../ledger/index.ts';
import { type Cell, TEXT_SIZE } from './statement-page.ts';
import { type RowWriter, writeNumber } from './write-rows.ts';

const ROW = TEXT_SIZE * 1.5;
const COLUMN_GAP = 10;
/** Right edges of the four amounts, from the left of the page. */
const ENDS = [206, 320, 434];

const NAMES = ['opening', 'incoming', 'outgoing', 'closing'] as const;

function writeHead({ paper, texts }: RowWriter): void {
  const ends = [...ENDS, paper.right];
  const cells = NAMES.map(
    (name, at): Cell => ({ text: texts[name], x: ends[at] ?? paper.right, align: 'right' }),
  );
  paper.line([{ text: texts.currency, x: paper.left }, ...cells], { color: 'dimmed' });
  paper.gap(2);
  paper.rule();
}

function writeCurrency({ paper, texts }: RowWriter, change: StatementChange): void {
  const { currency, scale, opening, incoming, outgoing, closing } = change;
  const amounts = [opening, incoming, -outgoing, closing].map((minor) => writeNumber(minor, scale));
  const starts = [paper.left + paper.measure(currency, true), ...ENDS];
  const ends = [...ENDS, paper.right];
  const fits = amounts.every(
    (amount, at) => (ends[at] ?? 0) - paper.measure(amount, true) >= (starts[at] ?? 0) + COLUMN_GAP,
  );
  const cells = amounts.map(
    (text, at): Cell => ({ text, x: (fits && ends[at]) || paper.right, align: 'right' }),
  );
  const isBold = true;
  const name = { text: currency, x: paper.left };
  paper.reserve((fits ? 1 : 1 + NAMES.length) * ROW);
  if (fits) paper.line([name, ...cells], { isBold });
  else {
    paper.line([name], { isBold });
    // Too long to stand beside each other.
    for (const [at, cell] of cells.entries())
      paper.line([{ text: texts[NAMES[at] ?? 'opening'], x: paper.left }, cell]);
  }
  paper.gap(2);
  paper.rule('hairline');
}

/** A wallet's currencies; nothing where it never had a bill. */
export function writeSummary(
  writer: RowWriter,
  name: string,
  changes: readonly StatementChange[],
): void {
  const { paper } = writer;
  if (changes.length === 0) return;
  paper.reserve(6 * ROW);
  paper.line([{ text: name, x: paper.left }], { size: 9, isBold: true, color: 'accent' });
  paper.gap(3);
  writeHead(writer);
  for (const change of changes) writeCurrency(writer, change);
  paper.gap(10);
}
