/**
 * Proof of work in the format of ALTCHA (v2): its widget and libraries solve these challenges. They
 * are signed with a key that changes daily, bound to purpose and network, and expire.
 */
import { createHash, randomInt } from 'node:crypto';
import { type Challenge, createChallenge, type Solution, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey } from '../../master-key.ts';

/** PBKDF2, which browsers run as fast as other programs: about a millisecond for a key. */
const ITERATIONS = 5000;
const LIFETIME_S = 300;
const KEY_LIFETIME_S = 86_400;
const SOLUTION_LENGTH_MAX = 8192;

/** What a challenge is bound to. */
export interface ChallengeBinding {
  readonly purpose: string;
  readonly network: string;
}

export interface SolvedWork {
  /** Names the challenge: it counts once. */
  readonly id: string;
  readonly work: number;
  readonly expiresAt: Date;
}

export interface ProofOfWork {
  create(binding: ChallengeBinding, work: number): Promise<Challenge>;
  /** Undefined for a solution that is wrong, expired, or of another purpose or network. */
  verify(binding: ChallengeBinding, solution: string): Promise<SolvedWork | undefined>;
}

interface Signed {
  readonly purpose: string;
  readonly network: string;
  readonly work: number;
  /** Unix time in seconds. The library's own expiry reads the clock of the process. */
  readonly expires: number;
}

const toBase64Url = (text: string): string => createHash('sha256').update(text).digest('base64url');

function readPayload(text: string): { challenge: Challenge; solution: Solution } | undefined {
  if (text.length > SOLUTION_LENGTH_MAX) return undefined;
  try {
    const { challenge, solution } = JSON.parse(Buffer.from(text, 'base64').toString());
    const isWhole =
      typeof challenge.signature === 'string' &&
      typeof challenge.parameters.data === 'object' &&
      Number.isInteger(solution.counter) &&
      typeof solution.derivedKey === 'string';
    return isWhole ? { challenge, solution } : undefined;
  } catch {
    return undefined;
  }
}

/** @param iterations for tests; of each derived key */
export function createProofOfWork(
  masterKey: MasterKey,
  clock: Clock,
  iterations = ITERATIONS,
): ProofOfWork {
  const now_s = (): number => Math.floor(clock.now().getTime() / 1000);
  const secretsOf = (expires: number) => {
    const day = Math.floor((expires - LIFETIME_S) / KEY_LIFETIME_S);
    return {
      hmacSignatureSecret: masterKey.derive(`challenge/${day}`).toString('hex'),
      hmacKeySignatureSecret: masterKey.derive(`challenge-key/${day}`).toString('hex'),
    };
  };
  return {
    create({ purpose, network }, work) {
      const expires = now_s() + LIFETIME_S;
      const data = { purpose, network: toBase64Url(network), work, expires } satisfies Signed;
      return createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: iterations,
        // Between half of the work and all of it: no user is unlucky for long.
        counter: randomInt(Math.ceil(work / 2), work + 1),
        deriveKey,
        data,
        ...secretsOf(expires),
      });
    },
    async verify({ purpose, network }, text) {
      const payload = readPayload(text);
      if (payload === undefined) return undefined;
      const data = payload.challenge.parameters.data as unknown as Signed;
      const isLive = data.expires >= now_s() && data.expires <= now_s() + LIFETIME_S;
      if (!isLive || data.purpose !== purpose || data.network !== toBase64Url(network))
        return undefined;
      const { verified } = await verifySolution({
        ...payload,
        deriveKey,
        ...secretsOf(data.expires),
      });
      if (!verified) return undefined;
      const { nonce } = payload.challenge.parameters;
      return { id: nonce, work: data.work, expiresAt: new Date(data.expires * 1000) };
    },
  };
}
