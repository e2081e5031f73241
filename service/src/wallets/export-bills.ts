/** `GET …/bills/export`: all bills that match, streamed as CSV or a JSON array. */
import type { Db } from '../db/index.ts';
import { type Bill, streamBills } from '../ledger/index.ts';
import { csvField } from '../lib/csv.ts';
import { stringifyExact, toPlainText } from '../lib/exact-json.ts';
import { readBillFilter } from './filters.ts';
import { type BillFilterQuery, BillRecord, type WalletOwner } from './schemas.ts';
import { toBillRecord } from './show-bills.ts';

const COLUMNS = Object.keys(BillRecord.properties) as (keyof BillRecord)[];
/** Numbers are not escaped: a minus sign begins no formula. */
const NUMBERS: ReadonlySet<string> = new Set(['id', 'amount_direction', 'amount', 'balance_after']);

function csvLine(record: BillRecord): string {
  const fields = COLUMNS.map((column) =>
    NUMBERS.has(column) ? toPlainText(record[column]) : csvField(String(record[column] ?? '')),
  );
  return `${fields.join(',')}\r\n`;
}

async function* writeCsv(pieces: AsyncIterable<Bill[]>): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const piece of pieces) yield piece.map((bill) => csvLine(toBillRecord(bill))).join('');
}

async function* writeJson(
  pieces: AsyncIterable<Bill[]>,
  asStrings: boolean,
): AsyncGenerator<string> {
  let separator = '[';
  for await (const piece of pieces) {
    yield separator +
      piece.map((bill) => stringifyExact(toBillRecord(bill), asStrings)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[' ? '[]' : ']';
}

export interface BillsExport {
  readonly format: 'csv' | 'json';
  readonly amountsAsStrings: boolean;
}

/** @throws `invalid_parameter` before anything is sent */
export async function exportBills(
  db: Db,
  owner: WalletOwner,
  query: BillFilterQuery,
  options: BillsExport,
): Promise<AsyncGenerator<string>> {
  const pieces = streamBills(db, owner, await readBillFilter(db, query));
  return options.format === 'csv' ? writeCsv(pieces) : writeJson(pieces, options.amountsAsStrings);
}
