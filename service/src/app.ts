/** The composition root: creates the domains and passes their dependencies. */
import { type AppContext, createAppContext, type Platform } from './app-context.ts';
import { addEvents } from './app-events.ts';
import { checkDisplayCurrency } from './check-display-currency.ts';
import { closeMoney } from './close-money.ts';
import {
  countTeam,
  createRollUpJob,
  joinCommunity,
  registerCommunity,
  registerCommunityMetrics,
} from './community/index.ts';
import { registerDashboard } from './dashboard/index.ts';
import { runAsService } from './db/index.ts';
import {
  ChainWatchers,
  createTokenVerifier,
  listCurrencyNetworks,
  refuseStoredPrivateKeys,
  registerChainMetrics,
  registerDeposits,
  runOnChain,
} from './deposits/index.ts';
import { type Devices, registerDevices } from './devices/index.ts';
import { recordEvent } from './events/index.ts';
import type { HttpServer } from './http/index.ts';
import { findUser, isMoneyFrozen, registerIdentity, type TokenState } from './identity/index.ts';
import { createJobRunner, type Job, refuseClockAhead } from './jobs/index.ts';
import {
  createLedgerJobs,
  ensureCurrency,
  findCurrency,
  installLedger,
  lockAccountsOf,
  openAccounts,
  registerLedger,
} from './ledger/index.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { type MailService, registerMail } from './mail/index.ts';
import { measurePushes, registerNotifications } from './notifications/index.ts';
import { endGrant, findGrantedCategories, grantTimeOf, type Oidc } from './oidc/index.ts';
import {
  registerAudit,
  registerChainRoutes,
  registerClientRoutes,
  registerOperatorDevices,
  registerOperatorMoney,
  registerOperatorRules,
  registerOperatorUsers,
  registerOverview,
  registerPurchases,
  registerTrafficReports,
  registerUserDetails,
} from './operator/index.ts';
import { registerPayouts } from './payouts/index.ts';
import { registerPersonData } from './person-data/index.ts';
import { createRetentionJobs, measureRetention } from './retention.ts';
import {
  checkRewardType,
  createProofKey,
  createRewardArchiveJobs,
  findFirstLine,
  isDayPaid,
  isHeldReferee,
  readAccrued,
  readAccruedDays,
  readPaidKinds,
  registerRewards,
  settleDue,
} from './rewards/index.ts';
import { registerServiceMetrics } from './service-metrics.ts';
import { refreshPrices, registerWallets } from './wallets/index.ts';

export interface App {
  readonly http: HttpServer;
  /** Issuer of tokens, and their revocations. */
  readonly oidc: Oidc;
  readonly tokenState: TokenState;
  /** Starts jobs and feeds, before the server listens. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const FIVE_SECONDS_MS = 5000;
const SETTLE_EVERY_MS = 30_000;
/** Decimals of a reward currency that is new to the database. */
const REWARD_SCALE = 18;

/** A job that every instance may run at the same time. */
function shared(name: string, every_ms: number, run: Job['run']): Job {
  return { name, every_ms, isExclusive: false, run };
}

/** Registration, sign-in and their mails. */
function addIdentity(context: AppContext): MailService {
  const { http, database, masterKey, clock } = context;
  registerIdentity(http, {
    ...context,
    tokenIssuer: context.oidc.issuer,
    onUserCreated: [joinCommunity, (tx, user) => openAccounts(tx, user.userId)],
    onUserClosing: [{ lock: lockAccountsOf, close: closeMoney }],
    // Where from is in the security log, encrypted for the user, and not in the event.
    onNewAddress: (tx, { userId, language }) =>
      recordEvent(tx, clock, {
        ...{ userId, type: 'security.new_sign_in' },
        data: { user_id: userId, language },
      }),
    onBackgroundError: context.report('identity: deferred task failed'),
    runOnChain: (chainId, code) => runOnChain(database, masterKey, chainId, code),
    readPaidKinds: () => readPaidKinds(database, clock.now()),
  });
  registerOperatorUsers(http, context);
  registerAudit(http, context);
  registerClientRoutes(http, context);
  return registerMail(http, context);
}

/** Ledger, wallets, prices. */
function addMoney(context: AppContext): Job[] {
  const { http, config, database, clock, outgoing, serviceName } = context;
  registerLedger(http, {
    db: database,
    rewardCurrency: config.REWARD_CURRENCY,
    networksOf: listCurrencyNetworks,
  });
  registerWallets(http, {
    ...{ database, clock, isMoneyFrozen, findUser, serviceName },
    baseUrl: config.BASE_URL,
    displayCurrency: config.DISPLAY_CURRENCY,
  });
  registerOperatorMoney(http, { database, clock, outgoing, isMoneyFrozen });
  return [
    ...createLedgerJobs(database, outgoing, config, findFirstLine),
    shared('refresh-prices', FIVE_SECONDS_MS, () => refreshPrices(database, clock, outgoing)),
  ];
}

/** Deposits, and the watchers of their networks. */
function addDeposits(context: AppContext): ChainWatchers {
  const { http, database, clock } = context;
  registerDeposits(http, context);
  registerChainRoutes(http, { ...context, verifyToken: createTokenVerifier(context.masterKey) });
  registerChainMetrics(context.metrics, database, clock);
  return new ChainWatchers({
    ...context,
    onError: (network, error) => http.log.error({ err: error, network }, 'chain watcher failed'),
  });
}

/** Devices and their traffic reports. */
function addDevices(context: AppContext): Devices {
  const { http, config, database, clock } = context;
  const findGrantTime = async (_db: unknown, grantId: string) => grantTimeOf(grantId);
  const devices = registerDevices(http, {
    ...{ ...context, endGrant, findGrantTime, findGrantedCategories },
  });
  registerTrafficReports(http, { database, clock, window_s: config.TRAFFIC_REPORT_WINDOW });
  registerOperatorDevices(http, { database, clock, devices });
  registerUserDetails(http, { database, clock, countTeam: (id) => countTeam(database, id) });
  return devices;
}

/** Rewards, referral tree, dashboard. */
function addEarnings(context: AppContext): Job[] {
  const { http, config, database, clock } = context;
  const rewardCurrency = config.REWARD_CURRENCY;
  const rewardScale = async (): Promise<number> =>
    (await findCurrency(database, rewardCurrency))?.scale ?? REWARD_SCALE;
  registerDashboard(http, {
    ...{ db: database, clock, rewardCurrency },
    ...{ checkRewardType, readAccrued, readAccruedDays },
  });
  const schedule = { grace_s: config.REWARD_GRACE, period: config.REWARD_PERIOD };
  const proofKey = createProofKey(context.masterKey);
  registerRewards(http, {
    ...{ db: database, clock, rewardCurrency, proofKey },
    ...schedule,
    archivedTo: config.REWARD_ARCHIVE_TO,
  });
  registerOperatorRules(http, { database, clock, rewardCurrency });
  registerCommunity(http, { database, clock, exportCap: config.EXPORT_CAP, rewardScale });
  registerCommunityMetrics(context.metrics, database);
  registerPurchases(http, { database, clock, rewardCurrency, rewardScale });
  const sendsMail = Boolean(config.SMTP_URL);
  registerOverview(http, {
    ...{ database, clock, grace_s: config.REWARD_GRACE, sendsMail },
    measurePushes: () => measurePushes(database, clock),
    measureRetention: () => measureRetention(database, clock, config),
  });
  const settle = (): Promise<unknown> =>
    settleDue({ database, clock, rewardCurrency, ...schedule });
  return [
    createRollUpJob(database),
    ...registerNotifications(http, { ...context, rewardCurrency, isDayPaid }),
    // Settlements take locks of their own; a large one outlasts the lock of an exclusive job.
    shared('settle-rewards', SETTLE_EVERY_MS, settle),
    ...createRewardArchiveJobs(database, clock, proofKey, config),
  ];
}

/** Creates the whole service. */
export async function createApp(
  options: Omit<Platform, 'clock'> & { clock?: Clock },
): Promise<App> {
  const platform: Platform = { clock: systemClock, ...options };
  const { config, database, clock } = platform;
  installLedger(database, platform);
  await runAsService('start', () => ensureCurrency(database, config.REWARD_CURRENCY, REWARD_SCALE));
  await checkDisplayCurrency(database, config.DISPLAY_CURRENCY);
  const context = await createAppContext(platform);
  const { http, oidc, tokenState, clocks, brand } = context;
  const { hub, webhooks, jobs: eventJobs } = addEvents(context);
  const mail = addIdentity(context);
  const jobs = [...oidc.jobs, ...eventJobs, ...mail.jobs, ...addMoney(context)];
  const chains = addDeposits(context);
  const devices = addDevices(context);
  jobs.push(
    ...devices.jobs,
    ...registerPayouts(http, { ...context, isMoneyFrozen, sharesDevices: isHeldReferee }),
    ...addEarnings(context),
    ...registerPersonData(http, { ...context, onError: context.report('an archive failed') }),
    ...createRetentionJobs({ database, clock, metrics: context.metrics, settings: config }),
  );
  const onError = (job: string, err: unknown) => http.log.error({ err, job }, 'job failed');
  const guarded = refuseClockAhead(jobs, clocks.measure);
  const runner = createJobRunner(database, guarded, onError, registerServiceMetrics(context));
  return {
    http,
    oidc,
    tokenState,
    async start() {
      await refuseStoredPrivateKeys(database, platform.masterKey);
      await Promise.all([clocks, oidc, tokenState, hub, brand].map((feed) => feed.start()));
      await devices.start();
      if (config.roles.has('chains')) await chains.start();
      if (config.roles.has('jobs')) await runner.start();
    },
    async stop() {
      // A receiver may take as long as a request: both end side by side.
      const sent = Promise.all([webhooks.stop(), mail.stop(), oidc.stopSending()]);
      await http.close();
      await devices.stop();
      await chains.stop();
      for (const part of [oidc, clocks, tokenState]) part.stop();
      await Promise.all([runner.stop(), sent]);
    },
  };
}
