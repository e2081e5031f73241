/** A wallet with bills of two currencies, more than two blocks of 256, an hour after each other. */
import { postTransfers } from '../../src/ledger/index.ts';
import { parseAmount } from '../../src/lib/money.ts';
import type { BillRecord } from '../../src/wallets/index.ts';
import type { MoneyServer } from './money-server.ts';
import { asPerson } from './test-server.ts';

const BILLS = 600;
const EACH_HOUR = 3;
const HOUR_MS = 3_600_000;
const SCALES: Readonly<Record<string, number>> = { EDGE: 18, USDT: 6 };
/** The hour of the first bills. */
export const BUSY_FROM = new Date('2026-10-28T00:00:00.000Z');

export async function fillWallet({ database, clock, user }: MoneyServer): Promise<void> {
  const mine = { userId: user, wallet: 'asset' } as const;
  const house = { house: 'adjustment' } as const;
  for (let posted = 0; posted < BILLS; posted += EACH_HOUR) {
    clock.set(new Date(BUSY_FROM.getTime() + (posted / EACH_HOUR) * HOUR_MS));
    await postTransfers(
      database,
      Array.from({ length: EACH_HOUR }, (_, at) => posted + at).map((n) => ({
        idempotencyKey: `busy-${n}`,
        debit: n % 5 > 1 ? house : mine,
        credit: n % 5 > 1 ? mine : house,
        // One currency is rare: its last bill before an instant may be blocks away.
        currency: n % 150 === 7 ? 'USDT' : 'EDGE',
        amount: BigInt(n + 1) * 1_000_000_007n,
        businessId: ['reward', 'deposit', 'adjustment'][n % 3] ?? '',
        eventAt: new Date('2026-10-01T00:00:00Z'),
        mayOverdraw: true,
      })),
    );
  }
}

/** As the user, with exact amounts. */
export function askExactly({ app, user }: MoneyServer, url: string) {
  return app.inject({
    url,
    headers: { ...asPerson(user, 'account:read'), prefer: 'amounts=string' },
  });
}

export interface Sum {
  readonly currency: string;
  readonly scale: number;
  readonly incoming: bigint;
  readonly outgoing: bigint;
  readonly bills: number;
}

/** Bill by bill; currencies without a bill are left out. */
export function addUpBills(bills: readonly BillRecord[]): Sum[] {
  return Object.entries(SCALES).flatMap(([currency, scale]) => {
    const own = bills.filter((bill) => bill.currency === currency);
    const sumOf = (direction: number): bigint =>
      own
        .filter((bill) => bill.amount_direction === direction)
        .reduce((sum, { amount }) => sum + parseAmount(String(amount), scale), 0n);
    const sum = { currency, scale, incoming: sumOf(1), outgoing: sumOf(2), bills: own.length };
    return own.length === 0 ? [] : [sum];
  });
}
