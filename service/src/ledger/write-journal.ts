/**
 * The whole ledger as a plain-text journal, as the program `ledger` (and hledger) reads it: an
 * oracle that shares no code with us. Each transfer is a transaction; at the end stands what we
 * have stored as balances, for it to compare.
 */
import { type Db, plainArray, transaction } from '../db/index.ts';
import { formatAmount } from '../lib/money.ts';
import { getLedgerContext } from './ledger-context.ts';
import { transferById } from './packed-entries.ts';
import { loadReference, type ReferenceData } from './reference-data.ts';
import { idInShard, readWalletId } from './wallet-ids.ts';

interface TransferRow {
  readonly id: number;
  readonly created_at: Date;
  readonly debit_wallet: number;
  readonly credit_wallet: number;
  readonly currency_id: number;
  readonly business_id: number;
  readonly amount: string;
}

interface AccountRow {
  readonly wallet_id: number;
  readonly currency_id: number;
  readonly balance: string;
}

const TRANSFERS_PER_READ = 1000;
const TRANSFERS = `select t.id, t.created_at, t.debit_wallet, t.credit_wallet, t.currency_id,
    t.business_id, t.amount
  from unnest($1::bigint[]) as asked (id) cross join lateral ${transferById('asked.id')} t
  order by t.id`;

function accountName(reference: ReferenceData, walletId: number): string {
  const { kindId, userId, shard } = readWalletId(walletId);
  const code = reference.kindsById.get(kindId)?.code ?? String(kindId);
  return userId === null ? `House:${code}:${shard}` : `Users:${userId}:${code}`;
}

/** Commodities with digits in their names want quotes. */
function commodity(code: string): string {
  return /^[A-Za-z]+$/.test(code) ? code : `"${code}"`;
}

function amountOf(reference: ReferenceData, currencyId: number, minor: bigint): string {
  const currency = reference.currenciesById.get(currencyId);
  if (!currency) throw new Error(`there is no currency ${currencyId}`);
  return `${formatAmount(minor, currency.scale)} ${commodity(currency.code)}`;
}

function writeTransfer(reference: ReferenceData, row: TransferRow): string {
  const business = reference.businessesById.get(row.business_id)?.code ?? 'unknown';
  const amount = BigInt(row.amount);
  const line = (walletId: number, minor: bigint): string =>
    `    ${accountName(reference, walletId)}  ${amountOf(reference, row.currency_id, minor)}`;
  return [
    `${row.created_at.toISOString().slice(0, 10)} * (${row.id}) ${business}`,
    line(row.credit_wallet, amount),
    line(row.debit_wallet, -amount),
    '\n',
  ].join('\n');
}

function writeClosing(
  reference: ReferenceData,
  day: string,
  accounts: readonly AccountRow[],
): string {
  const lines = accounts.map(({ wallet_id, currency_id, balance }) => {
    const zero = amountOf(reference, currency_id, 0n);
    const stored = amountOf(reference, currency_id, BigInt(balance));
    return `    ${accountName(reference, wallet_id)}  ${zero} = ${stored}`;
  });
  return accounts.length === 0 ? '' : `${day} * stored balances\n${lines.join('\n')}\n`;
}

/**
 * Names every commodity and account first: `hledger check --strict` refuses those that no directive
 * declares.
 */
function writeDeclarations(reference: ReferenceData, accounts: readonly AccountRow[]): string {
  const commodities = [...reference.currencies.keys()].map(
    (code) => `commodity ${commodity(code)}\n`,
  );
  const names = new Set(accounts.map(({ wallet_id }) => accountName(reference, wallet_id)));
  return `${commodities.join('')}${[...names].map((name) => `account ${name}\n`).join('')}\n`;
}

/**
 * What the journal will hold: where each shard ends and what every account had, on one snapshot.
 */
async function takeSnapshot(
  db: Db,
): Promise<{ shards: { shard: number; transfers: number }[]; accounts: AccountRow[] }> {
  return transaction(db, async (tx) => {
    if (!db.isTransaction)
      await tx.query('set transaction isolation level repeatable read, read only');
    return {
      shards: (
        await tx.query<{ shard: number; transfers: number }>(
          'select shard, transfers from ledger_shard order by shard',
        )
      ).rows,
      accounts: (
        await tx.query<AccountRow>(
          `select wallet_id, currency_id, credits - debits as balance from account
            order by wallet_id, currency_id`,
        )
      ).rows,
    };
  });
}

/** Writes the journal piece by piece; what is posted meanwhile is not in it. */
export async function* writeJournal(db: Db): AsyncGenerator<string> {
  const { shards, accounts } = await takeSnapshot(db);
  // After the snapshot: it knows every name in it.
  const reference = await loadReference(db);
  yield writeDeclarations(reference, accounts);
  for (const { shard, transfers } of shards) {
    for (let n = 0; n < transfers; n += TRANSFERS_PER_READ) {
      const ids = Array.from({ length: Math.min(TRANSFERS_PER_READ, transfers - n) }, (_, i) =>
        idInShard(n + i, shard),
      );
      const { rows } = await db.query<TransferRow>(TRANSFERS, [plainArray(ids)]);
      yield rows.map((row) => writeTransfer(reference, row)).join('');
    }
  }
  yield writeClosing(
    reference,
    getLedgerContext(db).clock.now().toISOString().slice(0, 10),
    accounts,
  );
}
