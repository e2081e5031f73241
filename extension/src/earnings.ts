/** What this device earned, for the popup: asked for at most once a minute, while it is open. */
import { type EdgeClient, unwrap } from '@edge-account/sdk';
import { fromUnits, toUnits } from '../../console/src/lib/money-text.ts';
import type { Earned, Status } from './messages.ts';

type Known = Pick<Status, 'earned' | 'isPaying'>;

/** Hours are paid some time after they end: more often shows nothing new. */
const REFRESH_MS = 60_000;

/** Operators may pay for a device by hand before rules do. */
function hasAmount({ today, yesterday }: Earned): boolean {
  return [today, yesterday].some((amount) => toUnits(amount) !== 0n);
}

export class Earnings {
  readonly #client: EdgeClient;
  readonly #nodeId: string;
  #known: Known = {};
  #asksAgainAt_ms = 0;

  constructor(client: EdgeClient, nodeId: string) {
    this.#client = client;
    this.#nodeId = nodeId;
  }

  /** What is known now; asks for news in the background. */
  read(): Known {
    if (performance.now() >= this.#asksAgainAt_ms) {
      this.#asksAgainAt_ms = performance.now() + REFRESH_MS;
      // Without an answer the popup shows what it knew before.
      void this.#ask().catch(() => undefined);
    }
    return this.#known;
  }

  async #ask(): Promise<void> {
    const [earned, { is_paying: isPaying }] = await Promise.all([
      this.#askEarned(),
      unwrap(this.#client.api.GET('/me/rewards/schedule')),
    ]);
    // Where nothing is paid, a zero would promise that it grows.
    this.#known = { isPaying, ...(earned && (isPaying || hasAmount(earned)) && { earned }) };
  }

  async #askEarned(): Promise<Earned | undefined> {
    const params = { path: { node_id: this.#nodeId } };
    const points = await unwrap(this.#client.api.GET('/me/devices/{node_id}/earnings', { params }));
    // Oldest day first, and of each day the reward currency first.
    const currency = points[0]?.currency;
    const [yesterday, today] = points
      .filter((point) => point.currency === currency)
      .map(({ amount, accrued = '0' }) => fromUnits(toUnits(amount) + toUnits(accrued)));
    if (currency === undefined || yesterday === undefined || today === undefined) return undefined;
    return { currency, today, yesterday };
  }
}
