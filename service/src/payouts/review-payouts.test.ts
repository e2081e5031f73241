import { describe, expect, test } from 'vitest';
import { queryAsOwner, RUN_ENGINES } from '../../test/support/databases.ts';
import { usePayoutLab } from '../../test/support/payout-lab.ts';
import { ETH, type PayoutServer } from '../../test/support/payout-server.ts';
import { createSoftPasskey } from '../../test/support/soft-passkey.ts';
import { verifyDecisions } from './decisions.ts';

describe.each(RUN_ENGINES)('review of payouts on %s', (engine) => {
  const lab = usePayoutLab(engine);

  test('a small payout of an old account is approved by the policy', async () => {
    const id = await lab.requested('1');
    await lab.server.review();
    expect(await lab.server.read(id)).toMatchObject({
      status: 'approved',
      reason_code: 'approved_by_policy',
      approvals_needed: 0,
    });
  });

  test('the first payout to an address is reviewed, where the policy says so', async () => {
    await lab.server.putPolicy({ reviews_new_address: true });
    const id = await lab.inReview('1');
    expect((await lab.server.read(id)).review_reasons).toEqual(['new_address']);
    await lab.server.approve(id, lab.operators[0]);
    await lab.server.database.query(`update payout set status = 'confirmed' where id = $1`, [id]);
    const second = await lab.requested('1');
    await lab.server.review();
    expect(await lab.server.read(second)).toMatchObject({ reason_code: 'approved_by_policy' });
    // Unless the policy says otherwise.
    const answer = await lab.server.call('PUT', '/operator/payout-policy', {
      as: lab.server.client,
      body: { rules: [], automatic_age_days: 0 },
    });
    expect(answer.json()).toMatchObject({ reviews_new_address: true });
  });

  test('the queue names every reason', async () => {
    await lab.server.database.query('update app_user set created_at = $2 where id = $1', [
      lab.user,
      lab.server.clock.now(),
    ]);
    await lab.server.database.query(
      `insert into security_event (user_id, type, ip, user_agent, details, created_at)
       values ($1, 'password_reset', '127.0.0.1', 'test', '{}', $2)`,
      [lab.user, lab.server.clock.now()],
    );
    lab.server.sharing.add(lab.user);
    const id = await lab.inReview('2');
    expect((await lab.server.read(id)).review_reasons).toEqual([
      'above_automatic',
      'new_address',
      'new_account',
      'recent_reset',
      'shared_devices',
    ]);
    const queue = await lab.server.call(
      'GET',
      `/operator/payouts?status=in_review&user_id=${lab.user}&current=1&size=20`,
      { as: lab.server.client },
    );
    expect(queue.json().total).toBe(1);
    const next = await lab.inReview('2');
    const listAfter = async (after: number) => {
      const url = `/operator/payouts?status=in_review&after=${after}&current=1&size=1`;
      const answer = await lab.server.call('GET', url, { as: lab.server.client });
      return answer.json().records.map((record: { id: number }) => record.id);
    };
    expect(await listAfter(id - 1)).toEqual([id]);
    expect(await listAfter(id)).toEqual([next]);
    expect(await listAfter(next)).toEqual([]);
  });

  test('the payouts of a person are listed newest first, in every status', async () => {
    const ask = async (query: string) => {
      const url = `/operator/payouts?current=1&${query}`;
      return lab.server.call('GET', url, { as: lab.server.client });
    };
    const list = async (query: string) => {
      const page = (await ask(query)).json() as { total: number; records: { id: number }[] };
      return [page.total, ...page.records.map(({ id }) => id)];
    };
    const other = await lab.server.addUser();
    await lab.server.request(other, await lab.server.addAddress(other), '2');
    const first = await lab.requested('1');
    const second = await lab.inReview('2');
    const person = `user_id=${lab.user}`;
    expect(await list(`${person}&size=20`)).toEqual([2, second, first]);
    expect(await list(`${person}&size=1`)).toEqual([2, second]);
    expect(await list(`${person}&size=20&status=in_review`)).toEqual([1, second]);
    expect(await list(`${person}&size=20&status=rejected`)).toEqual([0]);
    for (const [query, field] of [
      ['size=20', 'status'],
      [`${person}&size=20&after=${first}`, 'after'],
    ] as const) {
      const refused = await ask(query);
      expect(refused.statusCode).toBe(400);
      expect(refused.json().errors).toMatchObject([{ field }]);
    }
  });

  test('a passkey approves the document, and nothing else', async () => {
    const id = await lab.inReview('2');
    const [first] = lab.operators;
    const refused = async (answer: ReturnType<PayoutServer['approve']>) =>
      (await answer).json().code;
    const stranger = { userId: first.userId, passkey: (await lab.server.addOperator()).passkey };
    expect(await refused(lab.server.approve(id, stranger))).toBe('approval_invalid');
    expect(await refused(lab.server.approve(id, first, 'AAAA'))).toBe('approval_invalid');
    const approved = await lab.server.approve(id, first);
    expect(approved.json()).toMatchObject({
      status: 'approved',
      reason_code: 'approved_by_operators',
    });
    expect(await refused(lab.server.approve(id, lab.operators[1]))).toBe('payout_not_open');
  });

  test('four eyes are two distinct people, neither of them the requester', async () => {
    const id = await lab.inReview('6');
    const passkey = createSoftPasskey();
    await passkey.enrol(lab.server.database, lab.user);
    const own = await lab.server.approve(id, { userId: lab.user, passkey });
    expect(own.json().code).toBe('payout_own');
    expect((await lab.server.approve(id, lab.operators[0])).json()).toMatchObject({
      status: 'in_review',
      reason_code: 'needs_second_approval',
    });
    const again = await lab.server.approve(id, lab.operators[0]);
    expect(again.json().code).toBe('payout_approved_by_caller');
    expect(await lab.takeOf(id)).toEqual([]);
    expect((await lab.server.approve(id, lab.operators[1])).json()).toMatchObject({
      status: 'approved',
    });
  });

  test('the keys of approvers are listed for the file of the signer', async () => {
    const [{ userId, passkey }] = lab.operators;
    const listed = await lab.server.call('GET', '/operator/payout-approver-keys', {
      as: lab.server.asUser(userId),
    });
    expect(JSON.stringify(listed.json())).toContain(passkey.id);
  });

  test('clients do not approve', async () => {
    const id = await lab.inReview('2');
    const answer = await lab.server.call('POST', `/operator/payouts/${id}/approve`, {
      as: lab.server.client,
      body: { passkey_credential: lab.operators[0].passkey.assert('AAAA') },
    });
    expect(answer.json().code).toBe('wrong_token_kind');
  });

  test('a rejection releases the money', async () => {
    const id = await lab.inReview('2');
    const body = { remark: 'no owner reads it', reason: 'The address is listed.' };
    const reject = { as: lab.server.client, body };
    const url = `/operator/payouts/${id}/reject`;
    expect((await lab.server.call('POST', url, reject)).json()).toMatchObject({
      status: 'rejected',
      reason: body.reason,
    });
    const read = await lab.server.call('GET', `/payouts?size=1&current=1`, {
      as: lab.server.asUser(lab.user),
    });
    expect(read.json().records[0]).toMatchObject({ id, reason: body.reason });
    expect(read.body).not.toContain(body.remark);
    expect(await lab.server.balance(lab.user)).toEqual({ balance: 10n * ETH, hold: 0n });
    expect((await lab.server.call('POST', url, reject)).statusCode).toBe(200);
  });

  test('no operator settles or cancels the hold of a payout', async () => {
    const id = await lab.requested('1');
    const { rows } = await lab.server.database.query<{ hold_id: number }>(
      'select hold_id from payout where id = $1',
      [id],
    );
    for (const what of ['settle', 'cancel']) {
      const url = `/operator/withdrawals/${rows[0]?.hold_id}/${what}`;
      const answer = await lab.server.call('POST', url, { as: lab.server.client, body: {} });
      expect(answer.json().code).toBe('hold_of_payout');
    }
  });

  test('decisions removed from the end of the log are detected', async () => {
    const { database } = lab.server;
    const id = await lab.inReview('2');
    await lab.server.approve(id, lab.operators[0]);
    const rows = await queryAsOwner<{ row: object }>(
      database,
      `with gone as (delete from payout_decision where payout_id = $1 returning *)
       select to_jsonb(gone) as row from gone`,
      [id],
    );
    expect(rows).toHaveLength(1);
    const { problems } = await verifyDecisions(database);
    expect(problems[0]).toMatch(/does not end where it was sealed/);
    const end = 'select position - 1 from payout_decision_end';
    await database.query(`update payout_decision_end set position = (${end})`);
    expect((await verifyDecisions(database)).problems).toHaveLength(1);
    const [before] = await queryAsOwner<{ at: number; seal: Buffer }>(
      database,
      'delete from payout_decision_end returning position + 1 as at, seal',
    );
    expect((await verifyDecisions(database)).problems).toHaveLength(1);
    await database.query('insert into payout_decision_end values (true, $1, $2)', [
      ...[before?.at, before?.seal],
    ]);
    await database.query(
      'insert into payout_decision select * from jsonb_populate_record(null::payout_decision, $1)',
      [JSON.stringify(rows[0]?.row)],
    );
    expect((await verifyDecisions(database)).problems).toEqual([]);
  });

  test('a changed decision is detected', async () => {
    const id = await lab.inReview('2');
    await lab.server.approve(id, lab.operators[0]);
    const change = (decision: string) =>
      queryAsOwner(
        lab.server.database,
        `update payout_decision set decision = $2
         where position = (select max(position) from payout_decision where payout_id = $1)`,
        [id, decision],
      );
    await change('rejected');
    const { problems } = await verifyDecisions(lab.server.database);
    expect(problems[0]).toMatch(/was changed/);
    await change('approved');
  });
});
