/**
 * Each alert of deploy/prometheus/alerts.yml fires when its fault is caused, and not before. The
 * faults are real ones: no test writes what a metric reads. A moved clock shortens the wait.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { HDKey } from '@scure/bip32';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type Database, openServer, transaction } from '../src/db/index.ts';
import { signDailyHead } from '../src/ledger/index.ts';
import { type Clock, createManualClock, systemClock } from '../src/lib/clock.ts';
import { addNotifications } from '../src/notifications/add-notifications.ts';
import { sellPackages } from '../src/operator/index.ts';
import { settleDue } from '../src/rewards/index.ts';
import { ALERT_NAMES, findFiring, hasPromtool } from './support/alert-rules.ts';
import { type Anvil, startAnvil } from './support/chains/anvil.ts';
import { NETWORK } from './support/chains/deposit-bench.ts';
import { createServerDatabase, openTestDatabase, ownerUrl } from './support/databases.ts';
import { createActions } from './support/payout-chain-actions.ts';
import { setUpPayouts, startChain } from './support/payout-chain-setup.ts';
import {
  type ChainLab,
  CONFIRMATIONS,
  ETH,
  HOT_KEY,
  HOT_WALLET,
  type Mutable,
  PAYEE,
} from './support/payout-chain-types.ts';
import { createBrowserKeys } from './support/push-service.ts';
import { type RunningService, startService } from './support/running-service.ts';
import { createNetwork } from './support/settled-network.ts';
import { openSilentLine } from './support/silent-line.ts';
import { openReplicated, openStandbyLab } from './support/standby-lab.ts';
import { insertUser } from './support/test-users.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REORG_WINDOW = 12;
const SIGNER = 'signer-that-errs';
const ACCOUNT = HDKey.fromMasterSeed(Buffer.alloc(32, 9));
const fired = new Set<string>();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface LabClock extends Clock {
  advance(ms: number): void;
}

/** The time of the machine, which can be moved: one that stands still is soon wrong. */
function createTickingClock(): LabClock {
  let ahead_ms = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + ahead_ms),
    advance: (ms) => {
      ahead_ms += ms;
    },
  };
}

interface Lab {
  readonly database: Database;
  readonly service: RunningService;
  readonly clock: LabClock;
  /** What Prometheus would see. */
  scrape(): Promise<string>;
}

async function openLab(
  env: Record<string, string> = {},
  database?: Database,
  clock: LabClock = createTickingClock(),
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
 * @param names in the order of the alphabet
 * @param cause returns a scrape while the fault lasts
 */
async function expectAlerts(
  { scrape }: Lab,
  names: readonly string[],
  cause: () => Promise<string>,
): Promise<void> {
  // A test whose clock stands still or is moved causes this one, too.
  const find = async (last: string): Promise<string[]> =>
    (await findFiring([before, last]))
      .filter((name) => names.includes(name) || name !== 'EdgeAccountClockOff')
      .sort();
  const before = await scrape();
  expect(await find(before)).toEqual([]);
  expect(await find(await cause())).toEqual(names);
  for (const name of names) fired.add(name);
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

  test('a standby that has ended', async () => {
    const standbys = await openStandbyLab();
    closing.push(() => standbys.close());
    const { primary, standby } = standbys;
    const database = await openReplicated({ primary: primary.port, standby: standby.port });
    closing.push(() => database.close());
    const lab = await openLab({}, database);
    await expectAlerts(lab, ['EdgeAccountStandbyUnused'], async () => {
      await standby.kill();
      await database.replica.check();
      return lab.scrape();
    });
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
    const clock = createManualClock(new Date());
    const lab = await openLab({}, undefined, clock);
    const { database } = lab;
    const start = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
    const network = await createNetwork(database, clock, start);
    const settle = () =>
      settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' as const });
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

  test('a settlement that is not archived for a day', async () => {
    const { lab } = await openSettled();
    const env = { REWARD_ARCHIVE_TO: pathToFileURL(tmpdir()).href };
    await expectAlerts(
      lab,
      ['EdgeAccountRewardsNotArchived', 'EdgeAccountSettlementLate'],
      async () => {
        lab.clock.advance(DAY_MS + HOUR_MS);
        return (await openLab(env, lab.database, lab.clock)).scrape();
      },
    );
  });

  test('a settlement whose lines are kept for longer than they should be', async () => {
    const { lab } = await openSettled();
    const env = { REWARD_ARCHIVE_TO: pathToFileURL(tmpdir()).href, REWARD_KEPT_DAYS: '31' };
    const names = ['RewardsNotArchived', 'RewardsRemovalWaits', 'SettlementLate'];
    await expectAlerts(
      lab,
      names.map((name) => `EdgeAccount${name}`),
      async () => {
        lab.clock.advance(34 * DAY_MS);
        return (await openLab(env, lab.database, lab.clock)).scrape();
      },
    );
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

  test('a webhook whose receiver refuses everything', async () => {
    let refused = 0;
    const receiver = createServer((request, response) => {
      refused++;
      request.resume();
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    closing.push(async () => void receiver.close());
    const { port } = receiver.address() as AddressInfo;
    const lab = await openLab({ ROLES: 'http,jobs', OUTGOING_LOOPBACK: 'allow' });
    await expectAlerts(lab, ['EdgeAccountWebhooksLate'], async () => {
      const operator = await lab.service.tokens.operator('operator:webhooks', 'operator:rewards');
      const hook = { url: `http://127.0.0.1:${port}/`, description: '', event_types: ['reward.*'] };
      expect((await send(lab, 'POST', '/operator/webhooks', hook, operator)).status).toBe(200);
      const reward = {
        ...{ user_id: await insertUser(lab.database), currency: 'EDGE', amount: '1' },
        reward_type: 'BONUS',
      };
      expect((await send(lab, 'POST', '/operator/rewards', reward, operator)).status).toBe(200);
      await expect.poll(() => refused).toBeGreaterThan(0);
      lab.clock.advance(2 * HOUR_MS);
      await expect.poll(() => refused).toBeGreaterThan(1);
      return lab.scrape();
    });
  });

  test('a month of bills that nothing archives or removes', async () => {
    const place = 'file:///archive-that-is-gone';
    const archives = { LEDGER_ARCHIVE_TO: place, REWARD_ARCHIVE_TO: place };
    const kept = { LEDGER_KEPT_MONTHS: '2', REWARD_KEPT_DAYS: '31' };
    const lab = await openLab({ ...archives, ...kept });
    await expectAlerts(lab, ['EdgeAccountArchiveLate', 'EdgeAccountRemovalWaits'], async () => {
      await signDailyHead(lab.database);
      lab.clock.advance(120 * DAY_MS);
      return lab.scrape();
    });
  });

  test('notifications that no instance pushes', async () => {
    const lab = await openLab();
    await expectAlerts(lab, ['EdgeAccountPushesLate'], async () => {
      const userId = await insertUser(lab.database);
      const { accessToken } = await lab.service.tokens.login(userId);
      const { publicKey: p256dh, auth } = createBrowserKeys();
      const browser = { endpoint: 'https://push.example.test/x', keys: { p256dh, auth } };
      const saved = await send(lab, 'POST', '/me/push-subscriptions', browser, accessToken);
      expect(saved.status).toBe(200);
      const deposit = {
        ...({ userId, kind: 'deposit', code: 'deposit_credited', cause: 'test' } as const),
        ...{ details: {}, createdAt: lab.clock.now() },
      };
      await transaction(lab.database, (tx) => addNotifications(tx, lab.clock, [deposit]));
      lab.clock.advance(HOUR_MS / 2);
      return lab.scrape();
    });
  });

  test('a referral tree that no instance builds', async () => {
    const lab = await openLab();
    await expectAlerts(lab, ['EdgeAccountCommunityQueue'], async () => {
      const userId = await insertUser(lab.database);
      for (let sold = 0; sold <= 10_000; sold += 100) {
        const orders = Array.from({ length: 100 }, (_, index) => ({
          ...{ idempotencyKey: `order/${sold + index}`, requestHash: '0'.repeat(32), userId },
          ...{ currency: 'EDGE', amount: 1n, reference: 'order', isExternal: true },
        }));
        await transaction(lab.database, (tx) => sellPackages(tx, lab.clock, orders));
      }
      return lab.scrape();
    });
  });

  test('rows that no instance deletes', async () => {
    const lab = await openLab();
    await expectAlerts(lab, ['EdgeAccountRetentionLate'], async () => {
      const form = { email: 'a@example.test', nickname: 'A', login_password: '0'.repeat(32) };
      expect((await send(lab, 'POST', '/user/register', form)).status).toBe(202);
      lab.clock.advance(3 * DAY_MS);
      return lab.scrape();
    });
  });

  /** A watcher of a chain that runs. */
  async function openWatched(): Promise<{ lab: Lab; anvil: Anvil }> {
    const anvil = await startAnvil();
    closing.push(() => anvil.stop());
    const lab = await openLab({ ROLES: 'http,chains', OUTGOING_LOOPBACK: 'allow' });
    const operator = await lab.service.tokens.operator('operator:chains');
    await anvil.mine(REORG_WINDOW + 10);
    const network = {
      ...{ kind: 'evm', name: 'Local', chain_id: 31_337, rpc_urls: [anvil.url], poll_ms: 50 },
      ...{ xpub: ACCOUNT.publicExtendedKey, uses_finalized: false, is_enabled: true },
      ...{ reorg_window: REORG_WINDOW, required_confirmations: 3, start_height: 0 },
    };
    const configured = await send(lab, 'PUT', '/operator/chains/LOCAL', network, operator);
    expect(configured.status).toBeLessThan(300);
    const cursor = `chain_cursor_height{network="LOCAL"} ${await anvil.height()}\n`;
    await expect.poll(lab.scrape, { timeout: 30_000 }).toContain(cursor);
    return { lab, anvil };
  }

  test('a network whose only endpoint does not answer', async () => {
    const { lab, anvil } = await openWatched();
    await expectAlerts(lab, ['EdgeAccountChainStalled'], async () => {
      anvil.freeze();
      await expect
        .poll(lab.scrape, { timeout: 60_000 })
        .toMatch(/chain_stalled\{network="LOCAL"\} 1/);
      return lab.scrape();
    });
    anvil.thaw();
  });

  test('a reorganisation deeper than the window', async () => {
    const { lab, anvil } = await openWatched();
    await expectAlerts(lab, ['EdgeAccountChainHalted'], async () => {
      await anvil.rollback(REORG_WINDOW + 4);
      await anvil.mine(REORG_WINDOW + 6);
      await expect
        .poll(lab.scrape, { timeout: 30_000 })
        .toMatch(/chain_halted\{network="LOCAL"\} 1/);
      return lab.scrape();
    });
  });

  /** Payouts on a chain, with operators who approve and a hot wallet. */
  async function openPayouts(): Promise<{ lab: Lab; chain: ChainLab }> {
    const chain = {} as Mutable;
    createActions(chain);
    await startChain(chain);
    closing.push(() => chain.anvil.stop());
    const database = await openTestDatabase('server', { isOwner: true });
    closing.push(() => database.close());
    await setUpPayouts(chain, database);
    closing.push(() => chain.service.stop());
    return { lab: await openLab({}, database), chain };
  }

  test('a transaction that pays less than its document says', async () => {
    const { lab, chain } = await openPayouts();
    // The chain is watched once, in `follow`.
    const names = ['EdgeAccountChainStalled', 'EdgeAccountPayoutMismatch'];
    await expectAlerts(lab, names, async () => {
      const payout_id = await chain.approved('2');
      await chain.sign('/operator/payouts/take', { network: NETWORK, signer: SIGNER, limit: 10 });
      const raw = await privateKeyToAccount(HOT_KEY).signTransaction({
        ...{ type: 'eip1559', chainId: 31337, nonce: 0, gas: 21_000n, to: PAYEE, value: ETH },
        ...{ maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n },
      });
      const sent = { payout_id, outcome: 'sent', sender: HOT_WALLET, nonce: 0 };
      const reports = [{ ...sent, tx_hash: keccak256(raw) }];
      await chain.sign('/operator/payouts/reports', { signer: SIGNER, reports });
      await chain.anvil.sendRaw(raw);
      await chain.anvil.mine(CONFIRMATIONS);
      await chain.follow();
      return lab.scrape();
    });
  });

  test('a payout that the hot wallet is too small for', async () => {
    const { lab, chain } = await openPayouts();
    await expectAlerts(lab, ['EdgeAccountHotWalletSmall'], async () => {
      await chain.approved('60');
      await chain.anvil.call('anvil_setBalance', [HOT_WALLET, `0x${ETH.toString(16)}`]);
      const signer = chain.open();
      await signer.cycle();
      signer.close();
      return lab.scrape();
    });
  });

  test('an approved payout that no signer takes', async () => {
    const { lab, chain } = await openPayouts();
    await expectAlerts(lab, ['EdgeAccountPayoutsLate'], async () => {
      await chain.approved('2');
      lab.clock.advance(2 * HOUR_MS);
      return lab.scrape();
    });
  });
});

afterAll(() => {
  if (hasPromtool) expect([...fired].sort()).toEqual([...ALERT_NAMES].sort());
});
