/** `GET /account/statement`: a month of both wallets as a PDF document. */
import type { Db } from '../../db/index.ts';
import { consumeRateLimit, type RateLimit } from '../../http/index.ts';
import { readWalletStatement } from '../../ledger/index.ts';
import { startOfDay } from '../../lib/calendar.ts';
import type { Clock } from '../../lib/clock.ts';
import { fieldError } from '../../lib/failures.ts';
import { loadPdfLibrary } from './load-pdf-library.ts';
import { type StatementContent, writeStatement } from './write-statement.ts';

export type { StatementHolder } from './write-statement.ts';

export interface StatementOrder
  extends Pick<StatementContent, 'userId' | 'holder' | 'issuer' | 'language'> {
  /** `yyyy-MM` */
  readonly month: string;
}

/** A statement of a busy month takes seconds of a processor. */
const LIMIT: RateLimit = { name: 'statement', hits: 20, window_s: 3600 };
const WALLETS = ['asset', 'bonus'] as const;

function startOfNextMonth(from: Date): Date {
  return new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
}

/** @throws `invalid_parameter`, `rate_limited` before anything is sent */
export async function showStatement(
  db: Db,
  clock: Clock,
  { month, ...order }: StatementOrder,
): Promise<AsyncGenerator<Buffer>> {
  const from = startOfDay(`${month}-01`);
  const madeAt = clock.now();
  if (from > madeAt) throw fieldError('month', 'in_future', 'has not begun');
  await consumeRateLimit(db, clock, LIMIT, String(order.userId));
  const { userId } = order;
  const library = await loadPdfLibrary();
  const before = startOfNextMonth(from);
  const wallets = [];
  for (const wallet of WALLETS) {
    const statement = await readWalletStatement(db, { userId, wallet }, { from, before });
    wallets.push({ wallet, ...statement });
  }
  return writeStatement(library, { ...order, from, before, madeAt, wallets });
}
