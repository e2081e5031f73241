import { expect, test } from 'vitest';
import type { AuditEntry } from './queries.ts';
import {
  changedFields,
  otherValues,
  readEntryMoney,
  readSettlementId,
} from './read-entry-money.ts';

const entryOf = (entry: Partial<AuditEntry>): AuditEntry => ({
  ...{ id: 1, at: '2026-11-10T12:00:00Z', actor: { kind: 'person', id: '1' }, operation: 'x' },
  ...{ subject: { kind: 'transfers', id: '33' }, people: [{ user_id: 7 }], is_sealed: true },
  ...entry,
});

test('a transfer has its money, its type and its sides; the rest are fields', () => {
  const after = {
    ...{ user_id: 7, currency: 'EDGE', amount: '0.123456789012345678', transfer_id: 33 },
    ...{ business_id: 'adjustment', debit: 'adjustment', credit: 'asset', reference: 'case 12' },
  };
  const entry = entryOf({ after });
  expect(readEntryMoney(entry)).toEqual({
    ...{ currency: 'EDGE', amount: '0.123456789012345678', transferId: 33 },
    ...{ business: 'adjustment', debit: 'adjustment', credit: 'asset' },
  });
  expect(changedFields(entry)).toEqual(['reference']);
  expect(otherValues(entry, entry.after)).toEqual({ reference: 'case 12' });
});

test('what did not change is no field, and says whose money it is', () => {
  const money = { user_id: 7, currency: 'ETH', amount: 2 };
  const entry = entryOf({
    before: { ...money, state: 'open', remaining: 2 },
    after: { ...money, state: 'open', remaining: 1, transfer_id: 49 },
  });
  expect(readEntryMoney(entry)).toEqual({ currency: 'ETH', amount: '2', transferId: 49 });
  expect(changedFields(entry)).toEqual(['remaining']);
});

test('an entry about no money has none, and all of its fields', () => {
  const entry = entryOf({ people: [], after: { currency: 'EDGE', user_id: 'kept' } });
  expect(readEntryMoney(entry)).toBeUndefined();
  expect(changedFields(entry)).toEqual(['currency', 'user_id']);
  const held = entryOf({ after: { user_id: 7, settlement_id: 5, released_by: 'ops' } });
  expect(readEntryMoney(held)).toBeUndefined();
  expect(readSettlementId(held)).toBe(5);
  expect(readSettlementId(entry)).toBeUndefined();
});
