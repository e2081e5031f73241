/** Entries of the audit log about money: whose it is, how much, which transfer, and why. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { testConfig, testMasterKey } from '../../test/support/test-config.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { createTestTokens } from '../../test/support/tokens.ts';
import { type App, createApp } from '../app.ts';
import { sealEntries, verifyAudit } from '../audit/index.ts';
import type { Database } from '../db/index.ts';
import { systemClock } from '../lib/clock.ts';
import { OPERATOR_SCOPES } from '../oidc/index.ts';
import { eraseDueUsers } from '../person-data/index.ts';
import type { AuditEntryVO } from './audit-schemas.ts';

const ADJUSTMENT = { business_id: 'adjustment', currency: 'EDGE' } as const;
const HOUSE = { house: 'adjustment' } as const;

describe.each(RUN_ENGINES)('the audit log about money on %s', (engine) => {
  let database: Database;
  let app: App;
  let keys = 0;
  let operator: number;
  let [ana, bo] = [0, 0];
  let asPerson: string;
  let asClient: string;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
    app = await createApp({ config: testConfig(), database, masterKey: testMasterKey });
    operator = await insertUser(database);
    await database.query("update app_user set operator_scopes = '{role:admin}' where id = $1", [
      operator,
    ]);
    const tokens = createTestTokens(database);
    asPerson = await tokens.person(operator, { scopes: OPERATOR_SCOPES, authTime: new Date() });
    asClient = await tokens.operator(...OPERATOR_SCOPES);
  });
  afterAll(async () => {
    await app.stop();
    await database.close();
  });
  beforeEach(async () => {
    [ana, bo] = [await insertUser(database), await insertUser(database)];
    await database.query("update app_user set nickname = 'Bo' where id = $1", [bo]);
  });

  const call = async <T>(path: string, body: object, token = asPerson): Promise<T> => {
    const answer = await app.http.inject({
      ...{ method: 'POST', url: `/operator${path}`, payload: body },
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': `key-${++keys}` },
    });
    expect(answer.statusCode, answer.body).toBeLessThan(300);
    return answer.json<T>();
  };
  const walletOf = (user_id: number) => ({ user_id, wallet: 'asset' });
  /** Posts transfers and gives their numbers. */
  const post = async (transfers: readonly object[], token = asPerson): Promise<number[]> => {
    const { results } = await call<{ results: { id: number }[] }>(
      '/transfers',
      { transfers },
      token,
    );
    return results.map(({ id }) => id);
  };
  const fund = (amount: string): Promise<number[]> =>
    post([{ ...ADJUSTMENT, debit: HOUSE, credit: walletOf(ana), amount }], asClient);
  const list = async (query: string): Promise<AuditEntryVO[]> => {
    const answer = await app.http.inject({
      url: `/operator/audit?${query}`,
      headers: { authorization: `Bearer ${asPerson}` },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().entries;
  };
  const listOf = (userId: number): Promise<AuditEntryVO[]> => list(`user_id=${userId}`);

  test('an adjustment says whose money, how much, which transfer, and why', async () => {
    const [id = 0] = await post([
      {
        ...{ ...ADJUSTMENT, debit: HOUSE, credit: walletOf(ana), remark: 'lost order' },
        ...{ amount: '0.123456789012345678', reference: 'case 12' },
      },
    ]);
    expect(await listOf(ana)).toMatchObject([
      {
        actor: { kind: 'person', id: String(operator) },
        operation: 'postTransfers',
        subject: { kind: 'transfers', id: String(id) },
        people: [{ user_id: ana }],
        reason: 'lost order',
        after: {
          ...{ user_id: ana, currency: 'EDGE', business_id: 'adjustment', transfer_id: id },
          ...{ debit: 'adjustment', credit: 'asset', reference: 'case 12' },
        },
      },
    ]);
    const { body } = await app.http.inject({
      url: `/operator/audit?user_id=${ana}`,
      headers: { authorization: `Bearer ${asPerson}` },
    });
    expect(body).toContain('"amount":0.123456789012345678');
  });

  test('a transfer between two people is found by both, and its reversal too', async () => {
    await fund('5');
    const [id = 0] = await post([
      { ...ADJUSTMENT, debit: walletOf(ana), credit: walletOf(bo), amount: '2', remark: 'swap' },
    ]);
    const entry = {
      people: [{ user_id: ana }, { user_id: bo, name: 'Bo' }],
      after: { user_id: ana, other_user_id: bo, amount: 2, debit: 'asset', credit: 'asset' },
    };
    expect(await listOf(ana)).toMatchObject([entry]);
    expect(await listOf(bo)).toEqual(await listOf(ana));
    const back = await call<{ id: number }>(`/transfers/${id}/reverse`, { remark: 'mistake' });
    const reversal = {
      ...{ operation: 'reverseTransfer', reason: 'mistake' },
      subject: { kind: 'transfers', id: String(id) },
      after: { user_id: bo, other_user_id: ana, transfer_id: back.id, reverses: id },
    };
    expect(await listOf(ana)).toMatchObject([reversal, entry]);
    expect(await listOf(bo)).toMatchObject([reversal, entry]);
    expect(await list(`subject_kind=transfers&subject_id=${id}`)).toHaveLength(2);
  });

  test('each transfer of a batch has its own entry, within the house too', async () => {
    const ids = await post([
      { ...ADJUSTMENT, debit: HOUSE, credit: walletOf(ana), amount: '1', remark: 'first' },
      { ...ADJUSTMENT, debit: HOUSE, credit: walletOf(bo), amount: '2', remark: 'second' },
      { ...ADJUSTMENT, debit: HOUSE, credit: { house: 'treasury' }, amount: '3' },
    ]);
    expect(await listOf(ana)).toMatchObject([{ reason: 'first', after: { amount: 1 } }]);
    expect(await listOf(bo)).toMatchObject([{ reason: 'second', after: { amount: 2 } }]);
    const [house] = await list(`subject_kind=transfers&subject_id=${ids[2]}`);
    expect(house).toMatchObject({
      people: [],
      after: { amount: 3, debit: 'adjustment', credit: 'treasury' },
    });
    expect(house?.after).not.toHaveProperty('user_id');
  });

  test('a reward that is paid by hand, and one that is taken back', async () => {
    const reward = { user_id: ana, currency: 'EDGE', amount: '1.5' };
    await call('/rewards', { ...reward, reward_type: 'UPTIME', remark: 'outage' });
    await call('/rewards', { ...reward, reward_type: 'PENALTY' });
    expect(await listOf(ana)).toMatchObject([
      { operation: 'payReward', after: { debit: 'bonus', may_overdraw: true } },
      {
        ...{ operation: 'payReward', reason: 'outage' },
        after: { amount: 1.5, currency: 'EDGE', reward_type: 'UPTIME', credit: 'bonus' },
      },
    ]);
  });

  test('a withdrawal whose reference looks like that of a payout has its entries', async () => {
    await fund('10');
    const order = { user_id: ana, currency: 'EDGE', amount: '5', reference: 'payout:1' };
    const { id } = await call<{ id: number }>('/withdrawals', order);
    const part = { amount: '2', release_rest: true };
    const settled = await call<{ transfer_id: number }>(`/withdrawals/${id}/settle`, part);
    expect(await listOf(ana)).toMatchObject([
      { before: { remaining: 3 }, after: { state: 'cancelled', remaining: 0 } },
      {
        before: { remaining: 5 },
        after: { remaining: 3, settled_part: 2, transfer_id: settled.transfer_id },
      },
      { operation: 'createWithdrawal', after: { state: 'open', reference: 'payout:1' } },
    ]);
  });

  test('a withdrawal has an entry for each step, with what moved', async () => {
    await fund('10');
    const order = { user_id: ana, currency: 'EDGE', amount: '5', reference: 'wire 7' };
    const { id } = await call<{ id: number }>('/withdrawals', { ...order, remark: 'by phone' });
    const settled = await call<{ transfer_id: number }>(`/withdrawals/${id}/settle`, {
      ...{ amount: '2', remark: 'paid' },
    });
    await call(`/withdrawals/${id}/cancel`, {});
    const subject = { kind: 'withdrawals', id: String(id) };
    const money = { user_id: ana, currency: 'EDGE', amount: 5 };
    expect(await listOf(ana)).toMatchObject([
      {
        ...{ operation: 'cancelWithdrawal', subject, people: [{ user_id: ana }] },
        before: { ...money, state: 'open', remaining: 3 },
        after: { ...money, state: 'cancelled', remaining: 0 },
      },
      {
        ...{ operation: 'settleWithdrawal', subject, reason: 'paid' },
        before: { ...money, remaining: 5 },
        after: { ...money, remaining: 3, transfer_id: settled.transfer_id },
      },
      {
        ...{ operation: 'createWithdrawal', subject, reason: 'by phone' },
        after: { ...money, state: 'open', reference: 'wire 7' },
      },
    ]);
  });

  test('a purchase and its refund have one entry each, which names the transfer', async () => {
    await fund('5');
    const form = { user_id: ana, amount: '3', reference: 'order 1' };
    const { id } = await call<{ id: number }>('/purchases', form);
    const refund = await call<{ refund_transfer_id: number }>(`/purchases/${id}/refund`, {
      amount: '1',
    });
    expect(await listOf(ana)).toMatchObject([
      {
        ...{ operation: 'refundPurchase', before: { amount: 3, refunded: 0 } },
        after: { amount: 3, refunded: 1, transfer_id: refund.refund_transfer_id },
      },
      {
        operation: 'createPurchase',
        after: { user_id: ana, amount: 3, transfer_id: expect.any(Number) },
      },
    ]);
  });

  test('a decision about a deposit names its owner, its amount and the reason', async () => {
    const { rows } = await database.query<{ id: number }>(
      `with wallet as (
         insert into deposit_wallet (family, xpub, created_at) values ('made', 'x', now())
         returning id
       ), address as (
         insert into deposit_address (user_id, wallet_id, family, derivation_index, address,
           address_key, created_at)
         select $1::bigint, id, 'made', 1, '0xA', '0xa', now() from wallet returning *)
       insert into deposit (network, tx_hash, ordinal, user_id, address_id, currency, raw_amount,
         decimals, amount, block_number, block_hash, required_confirmations, status, detected_at)
       select 'ETHEREUM', '0x1', 0, user_id, id, 'ETH', 15e17, 18, 15e17, 1, '0xb', 1, 'confirming',
         now() from address returning id`,
      [ana],
    );
    const id = String(rows[0]?.id);
    await call(`/deposits/${id}/hold`, { reason: 'looks stolen' });
    expect(await listOf(ana)).toMatchObject([
      {
        ...{ operation: 'holdDeposit', reason: 'looks stolen' },
        subject: { kind: 'deposits', id },
        before: { status: 'confirming', currency: 'ETH', amount: 1.5 },
        after: { status: 'on_hold', decision: 'hold', user_id: ana, amount: 1.5 },
      },
    ]);
  });

  test('held rewards that are released name the person and the settlement that pays', async () => {
    await database.query(
      `insert into reward_user (user_id, hold_reason, held_at)
       values ($1, 'shared_address', now())`,
      [ana],
    );
    const released = await call<{ settlement_id: number }>('/held-rewards/release', {
      ...{ user_id: ana, reason: 'sister of Bo' },
    });
    expect(await listOf(ana)).toMatchObject([
      {
        ...{ operation: 'releaseHeldRewards', people: [{ user_id: ana }], reason: 'sister of Bo' },
        after: { user_id: ana, settlement_id: released.settlement_id },
      },
    ]);
    const exported = await app.http.inject({
      url: `/operator/audit/export?user_id=${ana}`,
      headers: { authorization: `Bearer ${asPerson}` },
    });
    expect(exported.body).toContain('sister of Bo');
    // It ends with the key of the person.
    await database.query('update person_key set erase_at = now() where user_id = $1', [ana]);
    expect(await eraseDueUsers(database, systemClock)).toBe(1);
    const [entry] = await listOf(ana);
    expect(entry?.operation).toBe('releaseHeldRewards');
    expect(entry).not.toHaveProperty('reason');
  });

  test('the account and the money of a person are listed together, page by page', async () => {
    await call(`/users/${ana}/disable`, { reason: 'fraud check' });
    await post([{ ...ADJUSTMENT, debit: HOUSE, credit: walletOf(ana), amount: '1' }]);
    await call(`/users/${ana}/enable`, { reason: 'cleared' });
    const all = await listOf(ana);
    expect(all.map(({ operation }) => operation)).toEqual([
      ...['enableUser', 'postTransfers', 'disableUser'],
    ]);
    expect(await list(`user_id=${ana}&size=2`)).toEqual(all.slice(0, 2));
    expect(await list(`user_id=${ana}&operation=postTransfers`)).toEqual([all[1]]);
    expect(await list(`user_id=${ana}&text=fraud`)).toEqual([]);
    expect(await list(`user_id=${ana}&from=2999-01-01T00:00:00Z`)).toEqual([]);
    const csv = await app.http.inject({
      url: `/operator/audit/export?user_id=${ana}&operation=postTransfers`,
      headers: { authorization: `Bearer ${asPerson}`, accept: 'text/csv' },
    });
    expect(csv.body).toContain(`,transfers,${all[1]?.subject.id},${ana},`);
  });

  test('postings of a program have no entry; what it reverses has one', async () => {
    const [id = 0] = await fund('4');
    await call(
      '/rewards',
      { user_id: ana, currency: 'EDGE', amount: '1', reward_type: 'UPTIME' },
      asClient,
    );
    const form = { user_id: ana, amount: '1', reference: 'order 2' };
    const { id: purchase } = await call<{ id: number }>('/purchases', form, asClient);
    expect(await listOf(ana)).toEqual([]);
    await call(`/transfers/${id}/reverse`, {}, asClient);
    expect(await listOf(ana)).toMatchObject([
      { actor: { kind: 'client' }, operation: 'reverseTransfer', after: { amount: 4 } },
    ]);
    await call(`/purchases/${purchase}/refund`, {}, asClient);
    expect(await listOf(ana)).toMatchObject([
      { operation: 'refundPurchase', after: { refunded: 1 } },
      { operation: 'reverseTransfer' },
    ]);
  });

  test('the seals cover all of it', async () => {
    await sealEntries(database);
    expect(await verifyAudit(database)).toMatchObject({ unsealed: 0, problems: [] });
  });
});
