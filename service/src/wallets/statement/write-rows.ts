/** The rows of a statement: a wallet's bills, between its balances. */
import type { Bill, StatementChange } from '../../ledger/index.ts';
import { toDay } from '../../lib/calendar.ts';
import { formatAmount } from '../../lib/money.ts';
import { type Cell, type Paper, TEXT_SIZE } from './statement-page.ts';
import { nameOf, type StatementTexts } from './statement-texts.ts';

/** Edges of the columns, from the left of the page. */
const TYPE_AT = 132;
const AMOUNT_END = 372;
const ROW = TEXT_SIZE * 1.5;
/** The line below a row, and its distances. */
const BELOW = 6;
const COLUMN_GAP = 8;

export interface RowWriter {
  readonly paper: Paper;
  readonly texts: StatementTexts;
  /** Of a text of a user. */
  printable(text: string): string;
}

export const writeTime = (at: Date): string => at.toISOString().slice(0, 19).replace('T', ' ');

const DECIMALS_MIN = 2;

/**
 * Every digit of an amount, as the console prints it in each of its languages: commas for
 * thousands, a point, and two decimals at least (ADR 0112).
 */
export function writeNumber(minor: bigint, scale: number): string {
  const [whole = '', decimals = ''] = formatAmount(minor, scale).split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${grouped}.${decimals.padEnd(DECIMALS_MIN, '0')}`;
}

export function writeAmount(minor: bigint, { scale, currency }: Bill | StatementChange): string {
  return `${writeNumber(minor, scale)} ${currency}`;
}

export function writeColumns({ paper, texts }: RowWriter): void {
  paper.line(
    [
      { text: texts.recorded, x: paper.left },
      { text: texts.type, x: TYPE_AT },
      { text: texts.amount, x: AMOUNT_END, align: 'right' },
      { text: texts.balanceAfter, x: paper.right, align: 'right' },
    ],
    { color: 'dimmed' },
  );
  paper.gap(2);
  paper.rule();
}

function typeOf(texts: StatementTexts, { rewardType, businessId }: Bill): string {
  const type = nameOf(texts.types, businessId);
  return rewardType === null ? type : `${type} – ${nameOf(texts.rewards, rewardType)}`;
}

/** What else a bill says, below its type. */
function noteOf({ texts, printable }: RowWriter, { eventAt, createdAt, remark }: Bill): string {
  const isEarlier = toDay(eventAt) < toDay(createdAt);
  const parts = [isEarlier ? `${texts.earned} ${toDay(eventAt)}` : '', remark ?? ''];
  return printable(parts.filter((part) => part !== '').join(' – '));
}

/** Numbers that are too long to stand beside each other have lines of their own. */
export function writeBill(writer: RowWriter, bill: Bill): void {
  const { paper, texts } = writer;
  const { direction, amount, balanceAfter } = bill;
  const signed = writeAmount(direction === 1 ? amount : -amount, bill);
  const value = direction === 1 ? `+${signed}` : signed;
  const after = writeAmount(balanceAfter, bill);
  const type = typeOf(texts, bill);
  const note = noteOf(writer, bill);
  const head: Cell[] = [
    { text: writeTime(bill.createdAt), x: paper.left },
    { text: type, x: TYPE_AT },
  ];
  const fits =
    AMOUNT_END - paper.measure(value) >= TYPE_AT + paper.measure(type) + COLUMN_GAP &&
    paper.right - paper.measure(after) >= AMOUNT_END + COLUMN_GAP;
  const ends: Cell[] = [
    { text: value, x: fits ? AMOUNT_END : paper.right, align: 'right' },
    { text: after, x: paper.right, align: 'right' },
  ];
  const noteHeight = note === '' ? 0 : paper.measureParagraph(note, TYPE_AT);
  if (paper.reserve((fits ? ROW : 3 * ROW) + noteHeight + BELOW)) writeColumns(writer);
  if (fits) paper.line([...head, ...ends]);
  else for (const cells of [head, ...ends.map((cell) => [cell])]) paper.line(cells);
  if (note !== '') paper.paragraph(note, TYPE_AT, { color: 'dimmed' });
  paper.gap(2);
  paper.rule('hairline');
}

/** The balance that a wallet's bills begin or end with, in each currency. */
export function writeBalances(
  writer: RowWriter,
  name: string,
  changes: readonly StatementChange[],
  side: 'opening' | 'closing',
): void {
  const { paper } = writer;
  for (const change of changes) {
    if (paper.reserve(ROW + BELOW)) writeColumns(writer);
    const balance = writeAmount(change[side], change);
    paper.line(
      [
        { text: name, x: TYPE_AT },
        { text: balance, x: paper.right, align: 'right' },
      ],
      { isBold: true },
    );
    paper.gap(2);
    paper.rule('hairline');
  }
}
