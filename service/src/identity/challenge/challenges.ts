/**
 * Challenges against programs: asked by risk only, from counters of our own. A request without one
 * is refused with `challenge_required` and the challenge, and repeated with the solution in the
 * header `Challenge-Solution`.
 */
import { type Config, isLoopbackUrl } from '../../config.ts';
import { type Database, type Db, defineStatement, execute } from '../../db/index.ts';
import { type Outgoing, rateLimitError } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import type { MasterKey } from '../../master-key.ts';
import { readDomainList } from '../mail-domains.ts';
import type { RequestOrigin } from '../types.ts';
import { countRisks, type RiskKey, type RiskName } from './count-risks.ts';
import { createHostedChallenge, type HostedChallenge } from './hosted-challenges.ts';
import { findMailSource } from './mail-source.ts';
import {
  createNetworkHash,
  isLoopback,
  type NetworkHash,
  rememberNetwork,
  toNetwork,
} from './networks.ts';
import { priceOf, SURGE_GROWTH } from './price.ts';
import { createProofOfWork, type ProofOfWork } from './proof-of-work.ts';

const HOUR_S = 3600;

/** Free requests in an hour. */
const FREE: Readonly<Record<Exclude<RiskName, 'register-total'>, number>> = {
  'register-network': 3,
  'register-mail': 2,
  'reset-network': 3,
  'reset-mail': 2,
  'resend-network': 10,
};
const REGISTER_TOTAL: RiskKey = ['register-total', ''];
type OwnKey = readonly [keyof typeof FREE, string];

type ChallengePurpose = 'register' | 'login' | 'reset' | 'resend';

export interface Challenges {
  /** @throws `challenge_required`, `rate_limited`, `unavailable` */
  guardRegistration(emailKey: string, origin: RequestOrigin): Promise<void>;
  /** @throws `challenge_required`, `unavailable` */
  guardReset(emailKey: string, origin: RequestOrigin): Promise<void>;
  /** Of the code of a login. @throws `challenge_required`, `unavailable` */
  guardResend(origin: RequestOrigin): Promise<void>;
  /**
   * `steps`: how far the attempts of address or account are beyond what is usual.
   * @throws `challenge_required`, `unavailable`
   */
  guardLogin(steps: number, origin: RequestOrigin): Promise<void>;
  /** Notes a sign-in from a network. */
  remember(ip: string): Promise<void>;
}

export interface ChallengeDeps {
  readonly config: Config;
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly clock: Clock;
  readonly outgoing: Outgoing;
  /** For tests; iterations of each key that a proof of work derives. */
  readonly challengeIterations?: number;
}

interface Context {
  readonly deps: ChallengeDeps;
  readonly hosted: HostedChallenge | undefined;
  readonly proofOfWork: ProofOfWork;
  readonly hashOf: NetworkHash;
}

/** A request that may have to solve a challenge. */
interface Suspect {
  readonly purpose: ChallengePurpose;
  readonly origin: RequestOrigin;
}

const SPEND_CHALLENGE = defineStatement(
  'identity-spend-solution',
  'select rate_limit_consume(:subject, :window_start) as hits',
);

/** A solution counts once, on all instances together. */
async function spend(db: Db, id: string, expiresAt: Date): Promise<boolean> {
  const values = { subject: `challenge:${id}`, window_start: expiresAt };
  const { rows } = await execute<{ hits: number }>(db, SPEND_CHALLENGE, values);
  return rows[0]?.hits === 1;
}

/** True for a solution of enough work; a neighbour may have raised the price by one step since. */
async function isSolved(
  { deps, hosted, proofOfWork }: Context,
  { purpose, origin: { ip, challengeSolution } }: Suspect,
  work: number,
): Promise<boolean> {
  if (challengeSolution === undefined) return false;
  if (hosted) return hosted.verify(challengeSolution);
  const solved = await proofOfWork.verify({ purpose, network: toNetwork(ip) }, challengeSolution);
  return (
    solved !== undefined &&
    solved.work * SURGE_GROWTH >= work &&
    (await spend(deps.database, solved.id, solved.expiresAt))
  );
}

/** Passes a request with a solution. @throws `challenge_required` with a challenge */
async function demand(context: Context, suspect: Suspect, work: number): Promise<void> {
  if (await isSolved(context, suspect, work)) return;
  const { hosted, proofOfWork } = context;
  const { purpose, origin } = suspect;
  const challenge = hosted
    ? { site_key: hosted.siteKey }
    : await proofOfWork.create({ purpose, network: toNetwork(origin.ip) }, work);
  throw failure('challenge_required', {
    detail:
      origin.challengeSolution === undefined
        ? 'Solve the challenge and repeat the request with the header Challenge-Solution.'
        : 'The solution is wrong, expired, used, or of another request: solve this one.',
    extra: { challenge_type: hosted?.provider ?? 'proof_of_work', challenge },
  });
}

function refuseSurge(): never {
  throw rateLimitError(
    { name: 'register-surge', hits: 0, window_s: HOUR_S },
    HOUR_S,
    'Too many registrations from this network or mail domain; try again in an hour.',
  );
}

/** Counts a request, and demands what it costs. What is refused is not counted, except in total. */
async function guardCounted(
  context: Context,
  suspect: Suspect,
  keys: readonly OwnKey[],
  totalFree?: number,
): Promise<void> {
  const { deps, hashOf } = context;
  const hasTotal = totalFree !== undefined;
  const counted = await countRisks(
    deps.database,
    deps.clock,
    hasTotal ? [REGISTER_TOTAL, ...keys] : keys,
    hashOf(toNetwork(suspect.origin.ip)),
  );
  const scale = deps.config.RATE_LIMIT_SCALE;
  const [total = 1, ...others] = counted.hits;
  const own = hasTotal ? others : counted.hits;
  const work = priceOf({
    counters: keys.map(([name], i) => ({ hits: own[i] ?? 1, free: FREE[name] * scale })),
    ...(hasTotal && { total: { hits: total, free: totalFree * scale } }),
    isKnownNetwork: counted.isKnownNetwork,
  });
  if (work === undefined) return;
  try {
    if (work === Number.POSITIVE_INFINITY) refuseSurge();
    await demand(context, suspect, work);
  } catch (error) {
    await counted.uncount(keys);
    throw error;
  }
  // The request without the solution was counted already.
  if (hasTotal) await counted.uncount([REGISTER_TOTAL]);
}

export function createChallenges(deps: ChallengeDeps): Challenges {
  const { clock, config, database, masterKey } = deps;
  const hashOf = createNetworkHash(masterKey);
  const context: Context = {
    deps,
    hashOf,
    hosted: createHostedChallenge(config, deps.outgoing),
    proofOfWork: createProofOfWork(masterKey, clock, deps.challengeIterations),
  };
  const shared = readDomainList(config.MAIL_DOMAINS_SHARED);
  // In public, loopback is a proxy that `TRUSTED_PROXIES` does not name, and so all callers.
  const isLocal = isLoopbackUrl(config.BASE_URL);
  const isOff = (ip: string): boolean => config.CHALLENGE === 'off' || (isLocal && isLoopback(ip));
  return {
    async guardRegistration(emailKey, origin) {
      if (isOff(origin.ip)) return;
      const keys: OwnKey[] = [
        ['register-network', toNetwork(origin.ip)],
        ['register-mail', findMailSource(emailKey, shared)],
      ];
      const suspect = { purpose: 'register', origin } as const;
      await guardCounted(context, suspect, keys, config.REGISTRATIONS_EXPECTED);
    },
    async guardReset(emailKey, origin) {
      if (isOff(origin.ip)) return;
      const keys: OwnKey[] = [
        ['reset-network', toNetwork(origin.ip)],
        ['reset-mail', emailKey],
      ];
      await guardCounted(context, { purpose: 'reset', origin }, keys);
    },
    async guardResend(origin) {
      if (isOff(origin.ip)) return;
      const keys: OwnKey[] = [['resend-network', toNetwork(origin.ip)]];
      await guardCounted(context, { purpose: 'resend', origin }, keys);
    },
    async guardLogin(steps, origin) {
      if (isOff(origin.ip)) return;
      const work = priceOf({ counters: [{ hits: steps, free: 0 }], isKnownNetwork: true });
      if (work !== undefined) await demand(context, { purpose: 'login', origin }, work);
    },
    async remember(ip) {
      if (!isLoopback(ip)) await rememberNetwork(database, clock, hashOf(toNetwork(ip)));
    },
  };
}
