/** Registers the hooks of a suite about payouts: a server, and for each test a funded user. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { verifyLedger } from '../../src/ledger/index.ts';
import { verifyDecisions } from '../../src/payouts/index.ts';
import type { Engine } from './databases.ts';
import { type Operator, openPayoutServer, type PayoutServer } from './payout-server.ts';

interface Taken {
  readonly payout_id: number;
  readonly document: string;
}

export interface PayoutLab {
  readonly server: PayoutServer;
  readonly operators: readonly [Operator, Operator];
  /** With 10 ETH, and an address that can be paid. */
  readonly user: number;
  readonly address: number;
  /** Requests a payout; returns its id. */
  requested(amount?: string): Promise<number>;
  /** Requests one that an operator must review. */
  inReview(amount?: string): Promise<number>;
  /** What a signer gets of one payout. */
  takeOf(id: number, signer?: string): Promise<Taken[]>;
}

/** Totals of ten minutes that differ from the payouts. */
const WRONG_TOTALS = `select currency, starts_at, total.amount, counted.amount as counted
  from payout_total as total full join (
    select currency, date_bin('10 minutes', requested_at, timestamptz 'epoch') as starts_at,
      sum(amount) as amount
    from payout where status not in ('failed', 'cancelled', 'rejected') group by 1, 2
  ) as counted using (currency, starts_at)
  where coalesce(total.amount, 0) <> coalesce(counted.amount, 0)`;

/** The books, the log of decisions and the totals of payouts are verified after the suite. */
export function usePayoutLab(engine: Engine): PayoutLab {
  const lab = {
    async requested(amount = '1') {
      const answer = await lab.server.request(lab.user, lab.address, amount);
      expect(answer.json()).toMatchObject({ status: 'requested' });
      return answer.json().id as number;
    },
    async inReview(amount = '2') {
      const id = await lab.requested(amount);
      await lab.server.review();
      expect(await lab.server.read(id)).toMatchObject({ status: 'in_review' });
      return id;
    },
    async takeOf(id, signer) {
      const { payouts } = (await lab.server.take(signer)).json() as { payouts: Taken[] };
      return payouts.filter(({ payout_id }) => payout_id === id);
    },
  } as { -readonly [Name in keyof PayoutLab]: PayoutLab[Name] };

  beforeAll(async () => {
    lab.server = await openPayoutServer(engine);
    lab.operators = [await lab.server.addOperator(), await lab.server.addOperator()];
  });
  afterAll(async () => {
    const report = await verifyLedger(lab.server.database, []);
    expect(report.findings).toEqual([]);
    expect((await verifyDecisions(lab.server.database)).problems).toEqual([]);
    expect((await lab.server.database.query(WRONG_TOTALS)).rows).toEqual([]);
    await lab.server.close();
  });
  beforeEach(async () => {
    await lab.server.putPolicy();
    lab.user = await lab.server.addUser();
    lab.address = await lab.server.addAddress(lab.user);
  });
  return lab;
}
