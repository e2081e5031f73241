/** A month of both wallets as a PDF document, written while its bills are read. */
import { setImmediate } from 'node:timers/promises';
import type { Bill, StatementChange, WalletStatement } from '../../ledger/index.ts';
import { toDay } from '../../lib/calendar.ts';
import { type Language, textsOf } from '../../lib/language.ts';
import type { PdfLibrary } from './load-pdf-library.ts';
import { createPrintable } from './printable.ts';
import { Paper } from './statement-page.ts';
import { writeMonth } from './statement-texts.ts';
import { type RowWriter, writeBalances, writeBill, writeColumns, writeTime } from './write-rows.ts';
import { writeSummary } from './write-summary.ts';

/** What the caller may know of the user. */
export interface StatementHolder {
  readonly nickname?: string;
  readonly email?: string;
}

export interface StatementContent {
  readonly userId: number;
  readonly holder: StatementHolder;
  /** Who makes it: the name of the service, and its address. */
  readonly issuer: { readonly name: string; readonly address: string };
  /** First instant of the month, and of the next one. */
  readonly from: Date;
  readonly before: Date;
  readonly madeAt: Date;
  readonly language: Language;
  readonly wallets: readonly (WalletStatement & { readonly wallet: 'asset' | 'bonus' })[];
}

/** Where the facts at the head begin, from the left of the page. */
const FACT_AT = 150;
const FACT_SIZE = 9;
const HEADING_SIZE = 12;
const BILLS_IN_TURN = 25;

interface Sum {
  incoming: bigint;
  outgoing: bigint;
  bills: number;
}

function writeHead({ paper, texts, printable }: RowWriter, content: StatementContent): void {
  const { userId, holder, from, before, madeAt, language } = content;
  const isOver = before <= madeAt;
  paper.line([{ text: texts.title, x: paper.left }], { size: 20, isBold: true });
  paper.line([{ text: writeMonth(from, language), x: paper.left }], { size: 13, color: 'accent' });
  paper.gap(12);
  const last = isOver ? new Date(before.getTime() - 1) : madeAt;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [texts.holder, holder.nickname === undefined ? undefined : printable(holder.nickname)],
    [texts.email, holder.email],
    [texts.account, String(userId)],
    [texts.period, `${toDay(from)} – ${toDay(last)}`],
    [texts.madeAt, `${writeTime(madeAt)} UTC`],
  ];
  for (const [name, value] of facts) {
    if (value === undefined) continue;
    // The text beside it begins on the same line.
    paper.line([{ text: name, x: paper.left }], { size: FACT_SIZE, color: 'dimmed' });
    paper.gap(-FACT_SIZE * 1.5);
    paper.paragraph(value, FACT_AT, { size: FACT_SIZE });
  }
  paper.gap(8);
  if (!isOver) paper.paragraph(texts.soFar, paper.left, { color: 'dimmed' });
  paper.paragraph(texts.utc, paper.left, { color: 'dimmed' });
  paper.gap(16);
}

function addTo(sums: Map<string, Sum>, { currency, direction, amount }: Bill): void {
  const sum = sums.get(currency) ?? { incoming: 0n, outgoing: 0n, bills: 0 };
  if (direction === 1) sum.incoming += amount;
  else sum.outgoing += amount;
  sum.bills += 1;
  sums.set(currency, sum);
}

const NOTHING: Sum = { incoming: 0n, outgoing: 0n, bills: 0 };

/** A document whose bills do not make up its balances must not be handed out. */
function checkSum(change: StatementChange, { incoming, outgoing, bills }: Sum): void {
  const isRight =
    change.opening + incoming - outgoing === change.closing &&
    change.incoming === incoming &&
    change.outgoing === outgoing &&
    change.bills === bills;
  if (!isRight)
    throw new Error(`the bills of ${change.currency} do not make up the sums of the statement`);
}

/** A page takes a moment: other requests have their turn after each. */
async function* writeBills(
  writer: RowWriter,
  { wallet, changes, bills }: StatementContent['wallets'][number],
): AsyncGenerator<Buffer> {
  const { paper, texts } = writer;
  paper.gap(14);
  paper.reserve(100);
  const name = texts.wallets[wallet];
  paper.line([{ text: name, x: paper.left }], { size: HEADING_SIZE, isBold: true });
  paper.gap(5);
  const moved = changes.filter((change) => change.bills > 0);
  if (moved.length === 0) {
    paper.line([{ text: texts.none, x: paper.left }], { color: 'dimmed' });
    return;
  }
  writeColumns(writer);
  writeBalances(writer, texts.opening, moved, 'opening');
  const sums = new Map<string, Sum>();
  let written = 0;
  for await (const piece of bills)
    for (const bill of piece) {
      addTo(sums, bill);
      writeBill(writer, bill);
      written += 1;
      if (written % BILLS_IN_TURN > 0) continue;
      await setImmediate();
      yield* paper.take();
    }
  for (const change of changes) checkSum(change, sums.get(change.currency) ?? NOTHING);
  writeBalances(writer, texts.closing, moved, 'closing');
}

export async function* writeStatement(
  library: PdfLibrary,
  content: StatementContent,
): AsyncGenerator<Buffer> {
  const { language, issuer, from, madeAt, wallets } = content;
  const texts = textsOf(language).statement;
  const title = `${texts.title} – ${writeMonth(from, language)}`;
  const footer = (page: number): string => `${title} – ${texts.page.replace('{n}', String(page))}`;
  const printable = createPrintable(library);
  const name = printable(issuer.name);
  const { address } = issuer;
  const paper = new Paper(library, { name, address, title, language, madeAt, footer });
  const writer = { paper, texts, printable };
  writeHead(writer, content);
  if (wallets.some(({ changes }) => changes.length > 0)) {
    paper.line([{ text: texts.summary, x: paper.left }], { size: HEADING_SIZE, isBold: true });
    paper.gap(6);
  }
  for (const { wallet, changes } of wallets) writeSummary(writer, texts.wallets[wallet], changes);
  for (const part of wallets) yield* writeBills(writer, part);
  paper.gap(14);
  paper.reserve(20);
  paper.line([{ text: texts.end, x: paper.left }], { color: 'dimmed' });
  yield* paper.end();
}
