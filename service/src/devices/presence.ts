/**
 * When devices were last heard. Heartbeats gather in memory. Each instance writes at most one
 * statement a second: what changed (a first heartbeat, the end of a connection, a heartbeat without
 * a connection), and of each connected device, once in some minutes, the time online since. A
 * process that is killed loses the time online of these minutes, and never adds any.
 */
import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { offlineAfter_ms } from './device-status.ts';
import { HeardDevices } from './heard-devices.ts';
import { writePresence } from './presence-statements.ts';

const TICK_MS = 1000;
/** Devices of one statement: at 15,000 connected ones and 300 s a second brings 50. */
const WRITTEN_MAX = 5000;
const WRITE_EVERY_MAX_S = 300;
/** What is written this long before its hour may be settled is seen by the settlement. */
const SETTLING_MARGIN_S = 60;

export interface PresenceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly heartbeatInterval_s: number;
  /** How long after its end an hour waits before it is settled. */
  readonly grace_s: number;
  readonly onError: (error: unknown) => void;
}

export class Presence {
  readonly #options: PresenceOptions;
  readonly #heard: HeardDevices;
  #flushing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#heard = new HeardDevices({
      offlineAfter_ms: offlineAfter_ms(options.heartbeatInterval_s),
      writeEvery_s: Math.min(WRITE_EVERY_MAX_S, Math.floor(options.grace_s / 2)),
    });
  }

  /** Records that a device was heard now, without a live connection. */
  recordHeartbeat(deviceId: number, address: string): void {
    this.#heard.hear(deviceId, address, this.#now_ms());
  }

  /** Records that a device was heard now on its live connection. */
  recordConnectedHeartbeat(deviceId: number, address: string): void {
    this.#heard.hearConnected(deviceId, address, this.#now_ms());
  }

  recordConnection(deviceId: number, address: string): void {
    this.#heard.connect(deviceId, address, this.#now_ms());
  }

  recordDisconnection(deviceId: number): void {
    this.#heard.disconnect(deviceId);
  }

  /** When this instance last heard a device, if a read may not see it yet. */
  lastHeard(deviceId: number): { readonly at: Date; readonly isConnected: boolean } | undefined {
    return this.#heard.get(deviceId);
  }

  /** Writes one statement; other devices wait for the next second. */
  flush(): Promise<void> {
    this.#heard.addTurns(this.#now_ms());
    if (!this.#heard.hasDue) return this.#flushing ?? Promise.resolve();
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  /** Writes all that changed until now. */
  async flushChanges(): Promise<void> {
    await this.#flushing;
    while (this.#heard.hasDue) await this.flush();
  }

  start(): void {
    const { onError } = this.#options;
    this.#timer = setInterval(() => void this.flush().catch(onError), TICK_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    try {
      await this.#flushing?.catch(() => {});
      this.#heard.addAll();
      await this.flushChanges();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #now_ms(): number {
    return this.#options.clock.now().getTime();
  }

  async #write(): Promise<void> {
    const { database, clock, heartbeatInterval_s, grace_s } = this.#options;
    const batch = this.#heard.take(WRITTEN_MAX);
    try {
      await writePresence(database, batch, {
        now: clock.now(),
        offlineAfter_s: offlineAfter_ms(heartbeatInterval_s) / 1000,
        lateAfter_s: grace_s - SETTLING_MARGIN_S,
      });
      this.#heard.settle(batch);
    } catch (error) {
      this.#heard.retry(batch);
      throw error;
    }
  }
}
