/** Solves a challenge of ALTCHA. WebCrypto derives the keys beside the page's thread. */
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from 'altcha-lib/types';

const LANES_MAX = 8;
/** The challenge has expired then. */
const TIMEOUT_MS = 300_000;

/** @param challenge as the service made it */
export async function solveProofOfWork(challenge: unknown): Promise<string> {
  const made = challenge as Challenge;
  const controller = new AbortController();
  const lanes = Math.min(LANES_MAX, navigator.hardwareConcurrency);
  const search = async (lane: number) => {
    const found = await solveChallenge({
      ...{ challenge: made, deriveKey, controller },
      ...{ counterStart: lane, counterStep: lanes, timeout: TIMEOUT_MS },
    });
    if (found === null) throw new Error('the challenge expired');
    return found;
  };
  const solution = await Promise.any(Array.from({ length: lanes }, (_, lane) => search(lane)));
  controller.abort();
  return btoa(JSON.stringify({ challenge: made, solution }));
}
