/** The only composition root: makes every part and hands it what it needs. */
import type { FastifyInstance } from 'fastify';
import { createRollUpJob, joinCommunity, registerCommunity } from './community/index.ts';
import type { Config } from './config.ts';
import { registerDashboard } from './dashboard/index.ts';
import type { Database, Transaction } from './db/index.ts';
import { createChainWatchers, createTokenVerifier, listCurrencyNetworks, registerChainMetrics, registerDeposits } from './deposits/index.ts';
import { registerDevices } from './devices/index.ts';
import {
  assignPositions,
  createEventHub,
  createWebhookSender,
  deleteOldDeliveries,
  deleteOldEvents,
  EVENTS_CHANNEL,
  fanOut,
  registerEvents,
  type WebhookSender,
} from './events/index.ts';
import {
  type CorsRules,
  createMetrics,
  createOutgoing,
  createServer,
  deleteOldAnswers,
  deleteOldCounters,
  type HttpServer,
  installConsole,
  installCors,
  installGuard,
  installOpenApi,
  registerHealth,
  registerMetrics,
} from './http/index.ts';
import { createTokenState, isMoneyFrozen, registerIdentity, type TokenState, type User } from './identity/index.ts';
import { createJobRunner, type Job } from './jobs/index.ts';
import { ensureCurrency, expireHolds, findCurrency, installLedger, openAccounts, readBalances, registerLedger, signDailyHead } from './ledger/index.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { failure } from './lib/failures.ts';
import { createDevMailbox, createMailSender } from './mail/index.ts';
import type { MasterKey } from './master-key.ts';
import { createOidc, grantTimeOf, type Oidc } from './oidc/index.ts';
import {
  registerOperatorChains,
  registerOperatorClients,
  registerOperatorDeposits,
  registerOperatorMoney,
  registerOperatorRules,
  registerOperatorUsers,
  registerOperatorWebhooks,
  registerPurchases,
  registerTrafficReports,
  registerUnswept,
} from './operator/index.ts';
import { createProofKey, REWARD_TYPES, registerRewards, settleDue } from './rewards/index.ts';
import { VERSION } from './version.ts';
import { refreshPrices, registerWallets } from './wallets/index.ts';

/** What every domain gets. */
export interface Platform {
  readonly config: Config;
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
}

export interface App {
  readonly http: HttpServer;
  /** Tokens: who issues them, and what happened to them since. */
  readonly oidc: Oidc;
  readonly tokenState: TokenState;
  /** Starts jobs and feeds; call it before listening. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const MAIL_EVERY_MS = 2000;
const CLEAN_EVERY_MS = 600_000;
const EXPIRE_HOLDS_EVERY_MS = 5000;
const PRICES_EVERY_MS = 5000;
const ASSIGN_EVERY_MS = 200;
/** Decimals of a reward currency that this database does not know yet. */
const REWARD_SCALE = 18;
const WEBHOOKS_EVERY_MS = 1000;
const SETTLE_EVERY_MS = 30_000;

function createJobs(platform: Platform, webhooks: WebhookSender): Job[] {
  const { config, database, clock } = platform;
  const jobs: Job[] = [
    createRollUpJob(database),
    { name: 'sign-daily-head', every_ms: CLEAN_EVERY_MS, run: () => signDailyHead(database) },
    { name: 'expire-holds', every_ms: EXPIRE_HOLDS_EVERY_MS, run: () => expireHolds(database) },
    { name: 'delete-old-counters', every_ms: CLEAN_EVERY_MS, run: () => deleteOldCounters(database, clock) },
    { name: 'delete-old-answers', every_ms: CLEAN_EVERY_MS, run: () => deleteOldAnswers(database, clock) },
    { name: 'delete-old-events', every_ms: CLEAN_EVERY_MS, run: () => deleteOldEvents(database, clock) },
    { name: 'assign-positions', every_ms: ASSIGN_EVERY_MS, isExclusive: false, run: () => assignPositions(database) },
    { name: 'delete-old-deliveries', every_ms: CLEAN_EVERY_MS, run: () => deleteOldDeliveries(database, clock) },
    {
      name: 'settle-rewards',
      every_ms: SETTLE_EVERY_MS,
      // Batches keep nodes apart themselves, and a large hour lasts longer than a lock may be held.
      isExclusive: false,
      run: () => settleDue({ database, clock, rewardCurrency: config.REWARD_CURRENCY, grace_s: config.REWARD_GRACE }),
    },
    {
      name: 'webhooks',
      every_ms: WEBHOOKS_EVERY_MS,
      isExclusive: false,
      wakeOn: EVENTS_CHANNEL,
      run: () => fanOut(database, clock).then(() => webhooks.kick()),
    },
  ];
  if (config.SMTP_URL)
    jobs.push({
      name: 'mail',
      every_ms: MAIL_EVERY_MS,
      isExclusive: false,
      wakeOn: 'mail',
      run: createMailSender(database, clock, config.SMTP_URL, config.MAIL_FROM),
    });
  return jobs;
}

/** An account with money in it closes only when its owner gives that up. */
async function refuseWithMoney(tx: Transaction, { userId }: User): Promise<void> {
  const balances = [...(await readBalances(tx, userId, 'asset')), ...(await readBalances(tx, userId, 'bonus'))];
  const left = balances.filter(({ balance, hold }) => balance !== 0n || hold !== 0n).map(({ currency }) => currency);
  if (left.length > 0) throw failure('account_not_empty', { extra: { currencies: [...new Set(left)] } });
}

/** Makes the whole service. */
export async function createApp(options: Omit<Platform, 'clock'> & { clock?: Clock }): Promise<App> {
  const platform: Platform = { clock: systemClock, ...options };
  const { config, database, clock } = platform;
  installLedger(database, platform);
  await ensureCurrency(database, config.REWARD_CURRENCY, REWARD_SCALE);
  const http = createServer(config);
  const tokenState = createTokenState(database, clock);
  const oidc = createOidc({ ...platform, tokenState, onError: (err) => http.log.error({ err }, 'signing keys could not be read') });
  installGuard(http as unknown as FastifyInstance, oidc.authenticator);
  const cors: CorsRules = {
    pageOrigin: new URL(config.AUTHORIZATION_PAGE_URL).origin,
    isClientOrigin: (origin) => oidc.clients.isOrigin(origin),
  };
  installCors(http as unknown as FastifyInstance, cors);
  await installOpenApi(http as unknown as FastifyInstance, config, VERSION);
  registerHealth(http, database);
  await installConsole(http as unknown as FastifyInstance, { baseUrl: config.BASE_URL });
  oidc.register(http);
  const metrics = createMetrics();
  registerMetrics(http, metrics);
  registerLedger(http, { db: database, rewardCurrency: config.REWARD_CURRENCY, networksOf: listCurrencyNetworks });
  if (!config.SMTP_URL) createDevMailbox(http, config, database);
  const events = createEventHub({
    database,
    clock,
    whyRevoked: (principal) => tokenState.known(principal),
    onError: (error) => http.log.error({ err: error }, 'event streams'),
  });
  tokenState.onRevoked(() => events.sweep());
  registerEvents(http, { db: database, hub: events });
  const outgoing = createOutgoing({ allowsLoopback: config.OUTGOING_LOOPBACK === 'allow' });
  registerOperatorWebhooks(http, database, { clock, masterKey: platform.masterKey, outgoing });
  const webhooks = createWebhookSender({ ...platform, outgoing, onError: (error) => http.log.error({ err: error }, 'webhooks') });
  const identityJobs = registerIdentity(http, {
    ...platform,
    tokenIssuer: oidc.issuer,
    onUserCreated: [(tx, user) => joinCommunity(tx, clock, user), (tx, user) => openAccounts(tx, user.userId)],
    onUserClosing: [refuseWithMoney],
    onBackgroundError: (err) => http.log.error({ err }, 'identity: background work failed'),
  });
  registerWallets(http, { database, clock, isMoneyFrozen });
  registerOperatorMoney(http, { database, clock, outgoing, isMoneyFrozen });
  const prices: Job = { name: 'refresh-prices', every_ms: PRICES_EVERY_MS, isExclusive: false, run: () => refreshPrices(database, clock, outgoing) };
  registerOperatorUsers(http, platform);
  registerOperatorClients(http, { db: database, clock });
  registerDeposits(http, platform);
  registerOperatorChains(http, { ...platform, verifyToken: createTokenVerifier(platform.masterKey) });
  registerOperatorDeposits(http, platform);
  registerUnswept(http, platform);
  registerChainMetrics(metrics, database, clock);
  const chains = createChainWatchers({ ...platform, onError: (network, error) => http.log.error({ err: error, network }, 'chain watcher failed') });
  const devices = registerDevices(http, {
    ...platform,
    tokenState,
    findGrantTime: async (_db, grantId) => grantTimeOf(grantId),
    isAllowedOrigin: (origin) => origin === new URL(config.BASE_URL).origin || cors.isClientOrigin(origin),
  });
  registerTrafficReports(http, { database, clock, window_s: config.TRAFFIC_REPORT_WINDOW });
  registerDashboard(http, {
    db: database,
    clock,
    rewardCurrency: config.REWARD_CURRENCY,
    listRewardTypes: async () => REWARD_TYPES,
  });
  registerRewards(http, { db: database, rewardCurrency: config.REWARD_CURRENCY, proofKey: createProofKey(platform.masterKey) });
  registerOperatorRules(http, { database, clock, rewardCurrency: config.REWARD_CURRENCY });
  const rewardScale = async (): Promise<number> => (await findCurrency(database, config.REWARD_CURRENCY))?.scale ?? REWARD_SCALE;
  registerCommunity(http, { database, clock, exportCap: config.EXPORT_CAP, rewardScale });
  registerPurchases(http, { database, clock, rewardCurrency: config.REWARD_CURRENCY, rewardScale });
  const runner = createJobRunner(database, [...createJobs(platform, webhooks), prices, ...oidc.jobs, ...identityJobs, ...devices.jobs], (job, error) =>
    http.log.error({ err: error, job }, 'job failed'),
  );
  return {
    http,
    oidc,
    tokenState,
    async start() {
      await Promise.all([oidc.start(), tokenState.start(), events.start()]);
      devices.start();
      await chains.start();
      await runner.start();
    },
    async stop() {
      await http.close();
      await devices.stop();
      await chains.stop();
      oidc.stop();
      tokenState.stop();
      await runner.stop();
      await webhooks.stop();
    },
  };
}
