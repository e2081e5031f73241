/** What an entry of the audit log says about the money of people. */
import type { AuditEntry } from './queries.ts';

type Values = NonNullable<AuditEntry['after']>;

/** What is shown in words, and not as a field that changed. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['user_id', 'other_user_id', 'currency', 'amount', 'transfer_id', 'settlement_id'],
  ...['business_id', 'debit', 'credit', 'reward_type', 'reverses'],
]);

export interface EntryMoney {
  readonly currency: string;
  /** Exact decimal text. */
  readonly amount: string;
  /** The transfer that moved it. */
  readonly transferId?: number;
  /** Of a transfer: its type, and the wallets or accounts of its sides. */
  readonly business?: string;
  readonly rewardType?: string;
  readonly debit?: string;
  readonly credit?: string;
}

function readText<K extends string>(name: K, value: unknown): { readonly [key in K]?: string } {
  return (typeof value === 'string' ? { [name]: value } : {}) as { readonly [key in K]?: string };
}

/** Undefined: the entry is about no money. */
export function readEntryMoney({ before, after = before }: AuditEntry): EntryMoney | undefined {
  if (typeof after?.currency !== 'string' || after.amount === undefined) return undefined;
  const transferId = Number(after.transfer_id);
  return {
    currency: after.currency,
    amount: String(after.amount),
    ...(Number.isSafeInteger(transferId) && { transferId }),
    ...readText('business', after.business_id),
    ...readText('rewardType', after.reward_type),
    ...readText('debit', after.debit),
    ...readText('credit', after.credit),
  };
}

/** The settlement that pays what was held. */
export function readSettlementId({ after }: AuditEntry): number | undefined {
  return typeof after?.settlement_id === 'number' ? after.settlement_id : undefined;
}

const isMoney = (entry: AuditEntry): boolean => entry.people.length > 0;

/** The values without those that are shown in words. */
export function otherValues(entry: AuditEntry, values: Values | undefined): Values | undefined {
  if (!isMoney(entry) || values === undefined) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !SHOWN.has(name)));
}

/** Names of the fields that changed, without those that are shown in words. */
export function changedFields(entry: AuditEntry): string[] {
  const [before, after] = [entry.before, entry.after].map((v) => otherValues(entry, v) ?? {});
  return Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  );
}
