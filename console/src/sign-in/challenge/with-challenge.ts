/** Requests that the service may ask a challenge for. */
import type { ProblemDocument } from '@edge-account/sdk';
import { isProblem } from '../../api/problem.ts';
import { setPendingChallenge, type WidgetProvider } from './challenge-state.ts';

/** The price may have changed, or the address of the browser. */
const CHALLENGES_MAX = 2;

type Headers = Readonly<Record<string, string>>;

async function solve({ challenge_type, challenge }: ProblemDocument): Promise<string> {
  try {
    if (challenge_type === 'turnstile' || challenge_type === 'hcaptcha')
      return await solveInWidget(challenge_type, String(challenge?.site_key ?? ''));
    setPendingChallenge('working');
    // Few users need it.
    const { solveProofOfWork } = await import('./proof-of-work.ts');
    return await solveProofOfWork(challenge);
  } finally {
    setPendingChallenge(undefined);
  }
}

function solveInWidget(provider: WidgetProvider, siteKey: string): Promise<string> {
  return new Promise((onSolved, onFailed) =>
    setPendingChallenge({ provider, siteKey, onSolved, onFailed }),
  );
}

/** Sends a request, and again with the solution of the challenge that it is refused with. */
export async function withChallenge<T>(send: (headers: Headers) => Promise<T>): Promise<T> {
  let headers: Headers = {};
  for (let challenges = 0; ; challenges++) {
    try {
      return await send(headers);
    } catch (error) {
      if (challenges === CHALLENGES_MAX || !isProblem(error, 'challenge_required')) throw error;
      headers = { 'Challenge-Solution': await solve(error.problem) };
    }
  }
}
