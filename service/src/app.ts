/** The only composition root: makes every part and hands it what it needs, one function for each part of the house. */

import { type AppContext, createAppContext, type Platform } from './app-context.ts';
import {
  createRollUpJob,
  joinCommunity,
  registerCommunity,
  registerCommunityMetrics,
} from './community/index.ts';
import { registerDashboard } from './dashboard/index.ts';
import type { Transaction } from './db/index.ts';
import {
  createChainWatchers,
  createTokenVerifier,
  listCurrencyNetworks,
  refuseStoredPrivateKeys,
  registerChainMetrics,
  registerDeposits,
} from './deposits/index.ts';
import { type Devices, registerDevices } from './devices/index.ts';
import {
  assignPositions,
  createEventHub,
  createWebhookSender,
  deleteOldDeliveries,
  deleteOldEvents,
  EVENTS_CHANNEL,
  type EventHub,
  fanOut,
  registerEvents,
  type WebhookSender,
} from './events/index.ts';
import { deleteOldAnswers, deleteOldCounters, type HttpServer } from './http/index.ts';
import { isMoneyFrozen, registerIdentity, type TokenState, type User } from './identity/index.ts';
import { createJobRunner, type Job } from './jobs/index.ts';
import {
  closeAccountsOf,
  ensureCurrency,
  expireHolds,
  findCurrency,
  installLedger,
  lockAccountsOf,
  openAccounts,
  registerLedger,
  signDailyHead,
} from './ledger/index.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { failure } from './lib/failures.ts';
import { createDevMailbox, createMailSender, deleteOldMails } from './mail/index.ts';
import { findGrantedCategories, grantTimeOf, type Oidc } from './oidc/index.ts';
import {
  POSTING_SOURCE,
  registerOperatorChains,
  registerOperatorClients,
  registerOperatorCurrencies,
  registerOperatorDeposits,
  registerOperatorMoney,
  registerOperatorRules,
  registerOperatorUsers,
  registerOperatorWebhooks,
  registerPurchases,
  registerTrafficReports,
  registerUnswept,
} from './operator/index.ts';
import { checkRewardType, createProofKey, registerRewards, settleDue } from './rewards/index.ts';
import { deleteOldQuotes, refreshPrices, registerWallets } from './wallets/index.ts';

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
const WEBHOOKS_EVERY_MS = 1000;
const SETTLE_EVERY_MS = 30_000;
/** Decimals of a reward currency that this database does not know yet. */
const REWARD_SCALE = 18;

/** An account with money in it, or a debt, closes only when its owner says that it may. */
async function closeMoney(tx: Transaction, { userId }: User, givesUp: boolean): Promise<void> {
  const left = await closeAccountsOf(tx, userId);
  if (left.length === 0 || givesUp) return;
  const namesOf = (list: typeof left, name: 'currency' | 'wallet'): string[] => [
    ...new Set(list.map((account) => account[name])),
  ];
  const owed = left.filter(({ isOwed }) => isOwed);
  throw failure('account_not_empty', {
    ...(owed.length === left.length && { detail: 'The account is in debt.' }),
    extra: {
      currencies: namesOf(left, 'currency'),
      wallets: namesOf(left, 'wallet'),
      ...(owed.length > 0 && { owed_currencies: namesOf(owed, 'currency') }),
    },
  });
}

/** People: registration and sign-in, and the mail that these send. */
function addPeople(parts: AppContext): Job[] {
  const { http, config, database, clock } = parts;
  if (!config.SMTP_URL) createDevMailbox(http, config, database);
  const jobs = registerIdentity(http, {
    ...parts,
    tokenIssuer: parts.oidc.issuer,
    onUserCreated: [
      (tx, user) => joinCommunity(tx, clock, user),
      (tx, user) => openAccounts(tx, user.userId),
    ],
    onUserClosing: [{ lock: lockAccountsOf, close: closeMoney }],
    onBackgroundError: parts.report('identity: background work failed'),
  });
  registerOperatorUsers(http, parts);
  registerOperatorClients(http, { db: database, clock });
  if (!config.SMTP_URL) return [...jobs];
  const run = createMailSender(database, clock, config.SMTP_URL, config.MAIL_FROM);
  return [
    ...jobs,
    { name: 'mail', every_ms: MAIL_EVERY_MS, isExclusive: false, wakeOn: 'mail', run },
  ];
}

/** The ledger, both wallets, prices. */
function addMoney(parts: AppContext): Job[] {
  const { http, config, database, clock, outgoing } = parts;
  registerLedger(http, {
    db: database,
    rewardCurrency: config.REWARD_CURRENCY,
    networksOf: listCurrencyNetworks,
  });
  registerWallets(http, { database, clock, isMoneyFrozen });
  registerOperatorMoney(http, { database, clock, outgoing, isMoneyFrozen });
  return [
    { name: 'sign-daily-head', every_ms: CLEAN_EVERY_MS, run: () => signDailyHead(database) },
    { name: 'expire-holds', every_ms: EXPIRE_HOLDS_EVERY_MS, run: () => expireHolds(database) },
    {
      name: 'delete-old-quotes',
      every_ms: CLEAN_EVERY_MS,
      run: () => deleteOldQuotes(database, clock),
    },
    {
      name: 'refresh-prices',
      every_ms: PRICES_EVERY_MS,
      isExclusive: false,
      run: () => refreshPrices(database, clock, outgoing),
    },
  ];
}

/** Deposits, and the watchers of the networks that they come from. */
function addDeposits(parts: AppContext): ReturnType<typeof createChainWatchers> {
  const { http, database, clock } = parts;
  registerDeposits(http, parts);
  registerOperatorChains(http, { ...parts, verifyToken: createTokenVerifier(parts.masterKey) });
  registerOperatorCurrencies(http, parts);
  registerOperatorDeposits(http, parts);
  registerUnswept(http, parts);
  registerChainMetrics(parts.metrics, database, clock);
  return createChainWatchers({
    ...parts,
    onError: (network, error) => http.log.error({ err: error, network }, 'chain watcher failed'),
  });
}

/** What people and business servers are told: event streams and webhooks. */
function addEvents(parts: AppContext): { hub: EventHub; webhooks: WebhookSender; jobs: Job[] } {
  const { http, database, clock, tokenState, outgoing } = parts;
  const hub = createEventHub({
    ...{ database, clock, postings: POSTING_SOURCE },
    whyRevoked: (principal) => tokenState.known(principal),
    onError: parts.report('event streams'),
  });
  tokenState.onRevoked(() => hub.sweep());
  registerEvents(http, { db: database, hub });
  registerOperatorWebhooks(http, database, { clock, masterKey: parts.masterKey, outgoing });
  const webhooks = createWebhookSender({ ...parts, onError: parts.report('webhooks') });
  const send = (): Promise<void> =>
    fanOut(database, clock, POSTING_SOURCE).then(() => webhooks.kick());
  const jobs: Job[] = [
    {
      name: 'delete-old-events',
      every_ms: CLEAN_EVERY_MS,
      run: () => deleteOldEvents(database, clock),
    },
    {
      name: 'assign-positions',
      every_ms: ASSIGN_EVERY_MS,
      isExclusive: false,
      run: () => assignPositions(database),
    },
    {
      name: 'delete-old-deliveries',
      every_ms: CLEAN_EVERY_MS,
      run: () => deleteOldDeliveries(database, clock),
    },
    {
      name: 'webhooks',
      every_ms: WEBHOOKS_EVERY_MS,
      isExclusive: false,
      wakeOn: EVENTS_CHANNEL,
      run: send,
    },
  ];
  return { hub, webhooks, jobs };
}

/** Devices, and the traffic that relays report of them. */
function addDevices(parts: AppContext): Devices {
  const { http, config, database, clock } = parts;
  const devices = registerDevices(http, {
    ...parts,
    findGrantTime: async (_db, grantId) => grantTimeOf(grantId),
    findGrantedCategories,
  });
  registerTrafficReports(http, { database, clock, window_s: config.TRAFFIC_REPORT_WINDOW });
  return devices;
}

/** Rewards, the referral tree, and the dashboard that explains both. */
function addEarnings(parts: AppContext): Job[] {
  const { http, config, database, clock } = parts;
  const rewardCurrency = config.REWARD_CURRENCY;
  const rewardScale = async (): Promise<number> =>
    (await findCurrency(database, rewardCurrency))?.scale ?? REWARD_SCALE;
  registerDashboard(http, { db: database, clock, rewardCurrency, checkRewardType });
  registerRewards(http, {
    db: database,
    rewardCurrency,
    proofKey: createProofKey(parts.masterKey),
  });
  registerOperatorRules(http, { database, clock, rewardCurrency });
  registerCommunity(http, { database, clock, exportCap: config.EXPORT_CAP, rewardScale });
  registerCommunityMetrics(parts.metrics, database);
  registerPurchases(http, { database, clock, rewardCurrency, rewardScale });
  const settle = (): Promise<unknown> =>
    settleDue({ database, clock, rewardCurrency, grace_s: config.REWARD_GRACE });
  return [
    createRollUpJob(database),
    // Batches keep nodes apart themselves, and a large hour lasts longer than a lock may be held.
    { name: 'settle-rewards', every_ms: SETTLE_EVERY_MS, isExclusive: false, run: settle },
  ];
}

/** Makes the whole service. */
export async function createApp(
  options: Omit<Platform, 'clock'> & { clock?: Clock },
): Promise<App> {
  const platform: Platform = { clock: systemClock, ...options };
  const { config, database, clock } = platform;
  installLedger(database, platform);
  await ensureCurrency(database, config.REWARD_CURRENCY, REWARD_SCALE);
  const parts = await createAppContext(platform);
  const { http, oidc, tokenState, clocks } = parts;
  const { hub, webhooks, jobs: eventJobs } = addEvents(parts);
  const jobs = [...oidc.jobs, ...eventJobs, ...addPeople(parts), ...addMoney(parts)];
  const chains = addDeposits(parts);
  const devices = addDevices(parts);
  jobs.push(
    ...devices.jobs,
    ...addEarnings(parts),
    {
      name: 'delete-old-counters',
      every_ms: CLEAN_EVERY_MS,
      run: () => deleteOldCounters(database, clock),
    },
    {
      name: 'delete-old-mails',
      every_ms: CLEAN_EVERY_MS,
      run: () => deleteOldMails(database, clock),
    },
    {
      name: 'delete-old-answers',
      every_ms: CLEAN_EVERY_MS,
      run: () => deleteOldAnswers(database, clock),
    },
  );
  const runner = createJobRunner(database, jobs, (job, error) =>
    http.log.error({ err: error, job }, 'job failed'),
  );
  return {
    http,
    oidc,
    tokenState,
    async start() {
      await refuseStoredPrivateKeys(database, platform.masterKey);
      await Promise.all([clocks.start(), oidc.start(), tokenState.start(), hub.start()]);
      await devices.start();
      if (config.roles.has('chains')) await chains.start();
      if (config.roles.has('jobs')) await runner.start();
    },
    async stop() {
      await http.close();
      await devices.stop();
      await chains.stop();
      oidc.stop();
      clocks.stop();
      tokenState.stop();
      await runner.stop();
      await webhooks.stop();
    },
  };
}
