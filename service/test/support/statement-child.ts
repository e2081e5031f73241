/** Writes a statement of 50,000 bills, and drops it: run with little memory. */
import type { Bill } from '../../src/ledger/index.ts';
import { loadPdfLibrary } from '../../src/wallets/statement/load-pdf-library.ts';
import {
  type StatementContent,
  writeStatement,
} from '../../src/wallets/statement/write-statement.ts';

const BILLS = 50_000;
const PIECE = 1000;
const BEGIN_MS = Date.UTC(2026, 9, 1);
const EACH_MS = 50_000;
const UNIT = 411_234_567_890_123n;
const SCALE = 18;

async function* makeBills(): AsyncGenerator<Bill[]> {
  let balance = 0n;
  for (let at = 0; at < BILLS; at += PIECE)
    yield Array.from({ length: PIECE }, (_, index) => {
      const id = at + index + 1;
      const amount = BigInt(id) * UNIT;
      balance += amount;
      const when = new Date(BEGIN_MS + id * EACH_MS);
      return {
        ...{ id, transferId: id, currency: 'EDGE', scale: SCALE, direction: 1, amount },
        ...{ balanceAfter: balance, businessId: 'reward', rewardType: 'UPTIME' },
        ...{ counterparty: 'reward_pool', reference: null, remark: null },
        ...{ nodeId: null, eventAt: when, createdAt: when },
      };
    });
}

const total = (BigInt(BILLS) * BigInt(BILLS + 1) * UNIT) / 2n;
const change = {
  ...{ currency: 'EDGE', scale: SCALE, bills: BILLS },
  ...{ opening: 0n, incoming: total, outgoing: 0n, closing: total },
};
const content: StatementContent = {
  userId: 1,
  holder: {},
  issuer: { name: 'Edge Account', address: 'account.edge.example' },
  from: new Date(BEGIN_MS),
  before: new Date(Date.UTC(2026, 10, 1)),
  madeAt: new Date(Date.UTC(2026, 10, 2)),
  language: 'en',
  wallets: [{ wallet: 'bonus', changes: [change], bills: makeBills() }],
};
let bytes = 0;
for await (const chunk of writeStatement(await loadPdfLibrary(), content)) bytes += chunk.length;
console.log(bytes);
