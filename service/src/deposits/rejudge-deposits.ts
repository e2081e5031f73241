/** Judges stored deposits again, by a token as it is configured now. */
import { defineStatement, execute, type Statement, type Transaction } from '../db/index.ts';
import type { Currency } from '../ledger/index.ts';
import { type CodedMessage, fromColumns } from '../lib/coded-messages.ts';
import { classifyDeposit, type Decision } from './classify-deposit.ts';
import { recordDepositEvents } from './deposit-events.ts';
import type { ChainContext, Token } from './networks.ts';

const ROWS_MAX = 500;

interface StoredPayment {
  id: number;
  contract: string | null;
  raw_amount: string;
  decision: Decision | null;
  decision_reason_code: string | null;
  decision_reason_values: CodedMessage['values'] | null;
}

const defineSelection = (name: string, condition: string): Statement =>
  defineStatement(
    name,
    `select id, contract, raw_amount, decision, decision_reason_code, decision_reason_values
     from deposit where ${condition} and id > :after order by id limit ${ROWS_MAX} for update`,
  );

/** Deposits that arrived while the token `:token` was unknown or disabled. */
export const UNSUPPORTED_OF_TOKEN = defineSelection(
  'deposits_unsupported_of_token',
  `network = :network and status = 'unsupported' and (token_id = :token
    or (token_id is null and lower(contract) is not distinct from :contract))`,
);

/** All deposits of the token `:token`. */
export const ALL_OF_TOKEN = defineSelection('deposits_of_token', 'token_id = :token');

/** An orphaned deposit stays so: no block holds it until the chain includes it again. */
const WRITE_VERDICTS = defineStatement(
  'deposit_rejudge',
  `update deposit set token_id = :token, currency = item.currency, decimals = item.decimals,
     amount = item.amount,
     status = case when status = 'orphaned' then status else item.verdict end,
     reason_code = case when status = 'orphaned' then reason_code else item.code end,
     reason_values = case when status = 'orphaned' then reason_values else item.values end
   from jsonb_to_recordset(:items) as item (id bigint, currency text, decimals int,
     amount numeric, verdict text, code text, values jsonb)
   where deposit.id = item.id`,
);

/**
 * Judges the deposits of a selection by a token, and records their events; without a token they
 * become unsupported.
 */
export async function rejudgeDeposits(
  tx: Transaction,
  { network, clock }: ChainContext,
  { statement, ...parameters }: { readonly statement: Statement; readonly [name: string]: unknown },
  { token, currency }: { readonly token?: Token; readonly currency?: Currency },
): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await execute<StoredPayment>(tx, statement, { ...parameters, after });
    const items = rows.map((row) => {
      const payment = {
        network: network.code,
        contract: row.contract ?? undefined,
        rawAmount: BigInt(row.raw_amount),
        decision: row.decision ?? undefined,
        decisionReason: fromColumns(row.decision_reason_code, row.decision_reason_values),
      };
      const { status, reason, amount, ...verdict } = classifyDeposit(payment, token, currency);
      return {
        id: row.id,
        ...verdict,
        amount: amount.toString(),
        verdict: status,
        code: reason?.code,
        values: reason?.values,
      };
    });
    await execute(tx, WRITE_VERDICTS, { token: token?.id ?? null, items: JSON.stringify(items) });
    await recordDepositEvents(tx, clock, rows);
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_MAX) return;
    after = last.id;
  }
}
