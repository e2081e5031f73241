/** Each alert of deploy/prometheus/alerts.yml fires when its fault is caused, and not before. */
import { HDKey } from '@scure/bip32';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Database, openServer, transaction } from '../src/db/index.ts';
import { createManualClock } from '../src/lib/clock.ts';
import { settleDue } from '../src/rewards/index.ts';
import { ALERT_NAMES, findFiring, hasPromtool } from './support/alert-rules.ts';
import { startAnvil } from './support/chains/anvil.ts';
import { createServerDatabase, openTestDatabase, ownerUrl } from './support/databases.ts';
import { type RunningService, startService } from './support/running-service.ts';
import { createNetwork } from './support/settled-network.ts';
import { openSilentLine } from './support/silent-line.ts';
import { insertUser } from './support/test-users.ts';

const HOUR_MS = 3_600_000;
const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 9));
const fired = new Set<string>();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Lab {
  readonly database: Database;
  readonly service: RunningService;
  readonly clock: ReturnType<typeof createManualClock>;
  /** What Prometheus would see. */
  scrape(): Promise<string>;
}

async function openLab(
  env: Record<string, string> = {},
  database?: Database,
  clock = createManualClock(new Date()),
): Promise<Lab> {
  const own = database ?? (await openTestDatabase('server', { isOwner: true }));
  if (database === undefined) closing.push(() => own.close());
  const quiet = { LOG_LEVEL: 'silent', CHALLENGE: 'off', ROLES: 'http', ...env };
  const service = await startService(own, { env: quiet, clock });
  let isRunning = true;
  const stop = async (): Promise<void> => {
    if (isRunning) await service.stop();
    isRunning = false;
  };
  closing.push(stop);
  const issue = () => service.tokens.operator('operator:metrics');
  let token = await issue();
  return {
    database: own,
    service: { ...service, stop },
    clock,
    async scrape() {
      // A test may have moved the clock past the end of the last one, or have stopped the database.
      token = await issue().catch(() => token);
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${service.baseUrl}/metrics`, { headers }).catch(() => undefined);
      return answer?.ok ? `${await answer.text()}\nup 1\n` : 'up 0\n';
    },
  };
}

/**
 * Causes a fault, and expects exactly these alerts after it, and none before.
 * @param cause returns a scrape while the fault lasts
 */
async function expectAlerts(
  { scrape }: Lab,
  names: readonly string[],
  cause: () => Promise<string>,
): Promise<void> {
  const before = await scrape();
  expect(await findFiring([before, before])).toEqual([]);
  const all = await findFiring([before, await cause()]);
  // A test that moves the clock causes this one, too.
  const firing = all.filter((name) => names.includes(name) || name !== 'EdgeAccountClockOff');
  expect(firing).toEqual(names);
  for (const name of firing) fired.add(name);
}

async function send(
  { service }: Lab,
  method: string,
  url: string,
  ...[body, token]: [body: object, token?: string]
) {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': url,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return fetch(`${service.baseUrl}${url}`, { method, headers, body: JSON.stringify(body) });
}

const asPerson = async ({ service, database }: Lab) => {
  const { accessToken } = await service.tokens.login(await insertUser(database));
  const headers = { authorization: `Bearer ${accessToken}` };
  return () => fetch(`${service.baseUrl}/me`, { headers });
};

describe.skipIf(!hasPromtool)('alerts (skipped without promtool)', { timeout: 120_000 }, () => {
  test('an instance that has ended', async () => {
    const lab = await openLab();
    await expectAlerts(lab, ['EdgeAccountDown'], async () => {
      await lab.service.stop();
      return lab.scrape();
    });
  });

  test('a database that has fallen silent', async () => {
    const url = new URL(await createServerDatabase());
    const direct = await openServer({ url: ownerUrl(url.href), poolSize: 2, onError: () => {} });
    closing.push(() => direct.close());
    const line = await openSilentLine({ host: url.hostname, port: Number(url.port) });
    closing.push(() => line.close());
    url.host = `127.0.0.1:${line.port}`;
    const database = await openServer({ url: url.href, poolSize: 4, onError: () => {} });
    closing.push(() => database.close());
    const lab = await openLab({}, database);
    const ask = await asPerson(lab);
    // The instance answers the scrape, or an operator would not learn what its fault is.
    await expectAlerts(lab, ['EdgeAccountErrors', 'EdgeAccountFeedStale'], async () => {
      line.silence();
      for (let round = 0; round < 2; round++) {
        const answers = await Promise.all(Array.from({ length: 20 }, ask));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
      }
      return lab.scrape();
    });
    line.restore();
  });

  test('requests that wait for connections', async () => {
    const lab = await openLab();
    const ask = await asPerson(lab);
    let asked: Promise<Response>[] = [];
    await expectAlerts(lab, ['EdgeAccountPoolExhausted'], () =>
      transaction(lab.database, async (tx) => {
        await tx.query('lock table app_user in access exclusive mode');
        asked = Array.from({ length: 40 }, ask);
        await expect.poll(() => lab.database.pool.waitingCount).toBeGreaterThan(0);
        return lab.scrape();
      }),
    );
    await Promise.all(asked);
  });

  test('a clock that is wrong', async () => {
    const lab = await openLab();
    await expectAlerts(lab, ['EdgeAccountClockOff'], async () => {
      const ahead = createManualClock(new Date(Date.now() + 60_000));
      const wrong = await openLab({}, lab.database, ahead);
      await expect.poll(wrong.scrape).toMatch(/clock_offset_seconds\{\S+ [56]\d/);
      return wrong.scrape();
    });
  });

  test('a mail relay that does not answer', async () => {
    const lab = await openLab({ SMTP_URL: 'smtp://127.0.0.1:1', ROLES: 'http,jobs' });
    await expectAlerts(lab, ['EdgeAccountCodesLate'], async () => {
      const form = { email: 'a@example.test', nickname: 'A', login_password: '0'.repeat(32) };
      expect((await send(lab, 'POST', '/user/register', form)).status).toBe(202);
      await expect.poll(lab.scrape).toMatch(/mail_queue\{state="code"\} 1/);
      lab.clock.advance(120_000);
      return lab.scrape();
    });
  });

  /** A network with an hour that is settled. */
  async function openSettled() {
    const lab = await openLab();
    const { database, clock } = lab;
    const start = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
    const network = await createNetwork(database, clock, start);
    const settle = () => settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600 });
    await network.use(start);
    await settle();
    return { lab, settle, useNext: () => network.use(new Date(start.getTime() + HOUR_MS)) };
  }

  test('an hour of rewards that nothing settles', async () => {
    const { lab } = await openSettled();
    await expectAlerts(lab, ['EdgeAccountSettlementLate'], async () => {
      lab.clock.advance(6 * HOUR_MS);
      return (await openLab({}, lab.database, lab.clock)).scrape();
    });
  });

  test('a settlement that fails', async () => {
    const { lab, settle, useNext } = await openSettled();
    await expectAlerts(lab, ['EdgeAccountSettlementFailed'], async () => {
      await lab.database.query(`create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'refused by the test'; end $$`);
      await lab.database.query(`create trigger refuse before update on reward_batch for each row
        when (new.state = 'settled') execute function refuse()`);
      await useNext();
      await expect(settle()).rejects.toThrow('refused by the test');
      return (await openLab({}, lab.database, lab.clock)).scrape();
    });
  });

  test('a job that fails', async () => {
    const lab = await openLab({ ROLES: 'http,jobs' });
    await expectAlerts(lab, ['EdgeAccountJobFails'], async () => {
      await lab.database.query('alter table event rename to gone');
      await expect
        .poll(lab.scrape, { timeout: 30_000 })
        .toMatch(/job_failures\{job="assign-positions"\} [5-9]/);
      return lab.scrape();
    });
  });

  test('a webhook that takes nothing', async () => {
    const lab = await openLab();
    await expectAlerts(lab, ['EdgeAccountWebhooksLate'], async () => {
      await lab.database.query(
        `with hook as (
           insert into webhook (url, description, event_types, secret, position, created_by,
             created_at)
           values ('https://example.test/', '', '{wallet.*}', '', 0, 'test', now()) returning id)
         insert into webhook_delivery (webhook_id, type, body, state, next_attempt_at, created_at)
         select id, 'wallet.changed', '{}', 'pending', now(), now() - interval '2 hours'
         from hook`,
      );
      return lab.scrape();
    });
  });

  test('a referral tree that nothing builds', async () => {
    const lab = await openLab();
    await expectAlerts(lab, ['EdgeAccountCommunityQueue'], async () => {
      await lab.database.query(`insert into community_event (kind, user_id)
        select 'rename', n from generate_series(1, 10001) n`);
      return lab.scrape();
    });
  });

  test('rows that nothing deletes', async () => {
    const lab = await openLab();
    await expectAlerts(lab, ['EdgeAccountRetentionLate'], async () => {
      await lab.database.query(`insert into mail (recipient, subject, body, created_at, sent_at,
          next_attempt_at)
        select 'a', 'b', '', at, at, at from (select now() - interval '31 days') t (at)`);
      return lab.scrape();
    });
  });

  test('a network that nothing can watch, and one that is halted', async () => {
    const anvil = await startAnvil();
    let isRunning = true;
    const stop = async (): Promise<void> => {
      if (isRunning) await anvil.stop();
      isRunning = false;
    };
    closing.push(stop);
    const lab = await openLab({ ROLES: 'http,chains', OUTGOING_LOOPBACK: 'allow' });
    const operator = await lab.service.tokens.operator('operator:chains');
    const network = {
      ...{ kind: 'evm', name: 'Local', chain_id: 31_337, rpc_urls: [anvil.url], poll_ms: 50 },
      ...{ xpub: ACCOUNT.publicExtendedKey, uses_finalized: false, is_enabled: true },
    };
    const configured = await send(lab, 'PUT', '/operator/chains/LOCAL', network, operator);
    expect(configured.status).toBeLessThan(300);
    await expect
      .poll(lab.scrape, { timeout: 30_000 })
      .toMatch(/chain_cursor_height\{network="LOCAL"\} 0/);
    await expectAlerts(lab, ['EdgeAccountChainStalled'], async () => {
      await stop();
      await expect
        .poll(lab.scrape, { timeout: 30_000 })
        .toMatch(/chain_stalled\{network="LOCAL"\} 1/);
      return lab.scrape();
    });
    // The tests of the watchers cause it by a deep reorganisation of a real chain.
    await lab.database.query(`update chain_state set note_code = null, endpoints = '[]',
      halted_at = now(), halted_reason_code = 'deep_reorganisation'`);
    const scrape = await lab.scrape();
    expect(await findFiring([scrape, scrape])).toEqual(['EdgeAccountChainHalted']);
    fired.add('EdgeAccountChainHalted');
  });

  // The tests of payouts cause these states on real chains.
  test.each([
    ['EdgeAccountPayoutMismatch', 'sent', 'transaction_mismatch', 0],
    ['EdgeAccountHotWalletSmall', 'approved', 'waits_for_hot_wallet', 0],
    ['EdgeAccountPayoutsLate', 'approved', 'approved_by_policy', 2],
  ])('%s: a payout that is %s, %s', async (name, status, reason, hours) => {
    const lab = await openLab();
    const userId = await insertUser(lab.database);
    await expectAlerts(lab, [name], async () => {
      await lab.database.query(`insert into payout_policy (version, policy, created_by, created_at)
        values (1, '{}', 'test', now())`);
      await lab.database.query(
        `with address as (
           insert into payout_address (user_id, network, address, address_key, label, created_at,
             usable_at)
           select $1, min(code), 'a', 'a', '', now(), now() from network returning id, network)
         insert into payout (user_id, address_id, network, currency, amount, fee, hold_id,
           idempotency_key, request_hash, status, reason_code, policy_version, step_up, check_at,
           followed_at, requested_at, updated_at)
         select $1, a.id, a.network, 'USDT', 2, 1, 1, 'a', 'a', $2, $3,
           1, 'strong', now(), now(), now(),
           now() - $4 * interval '1 hour'
         from address a`,
        [userId, status, reason, hours],
      );
      return lab.scrape();
    });
  });
});

afterAll(() => {
  if (hasPromtool) expect([...fired].sort()).toEqual([...ALERT_NAMES].sort());
});
