/** What this device earned, for the popup: asked for at most once a minute, while it is open. */
import { type EdgeClient, unwrap } from '@edge-account/sdk';
import { fromUnits, toUnits } from '../../console/src/lib/money-text.ts';
import type { Earned } from './messages.ts';

/** Hours are paid some time after they end: more often shows nothing new. */
const REFRESH_MS = 60_000;

export class Earnings {
  readonly #client: EdgeClient;
  readonly #nodeId: string;
  #earned: Earned | undefined;
  #asksAgainAt_ms = 0;

  constructor(client: EdgeClient, nodeId: string) {
    this.#client = client;
    this.#nodeId = nodeId;
  }

  /** What is known now; asks for news in the background. */
  read(): { readonly earned?: Earned } {
    if (performance.now() >= this.#asksAgainAt_ms) {
      this.#asksAgainAt_ms = performance.now() + REFRESH_MS;
      // Without an answer the popup shows what it knew before.
      void this.#ask().catch(() => undefined);
    }
    return this.#earned ? { earned: this.#earned } : {};
  }

  async #ask(): Promise<void> {
    const params = { path: { node_id: this.#nodeId } };
    const points = await unwrap(this.#client.api.GET('/me/devices/{node_id}/earnings', { params }));
    // Oldest day first, and of each day the reward currency first.
    const currency = points[0]?.currency;
    const [yesterday, today] = points
      .filter((point) => point.currency === currency)
      .map(({ amount, accrued = '0' }) => fromUnits(toUnits(amount) + toUnits(accrued)));
    if (currency === undefined || yesterday === undefined || today === undefined) return;
    this.#earned = { currency, today, yesterday };
  }
}
