/**
 * The devices that this instance hears, in memory: since when without a break, and what of it is
 * not written yet.
 */

/** From a heartbeat to a later one, without a silence that makes a device offline. */
export interface Period {
  readonly from_ms: number;
  readonly to_ms: number;
}

/** What one statement writes of a device. */
export interface HeardDevice {
  readonly deviceId: number;
  readonly address: string;
  readonly heardAt_ms: number;
  /** The time and the address of the last heartbeat are written too. */
  readonly isNoted: boolean;
  readonly periods: readonly Period[];
}

interface Heard {
  address: string;
  /** The last heartbeat that is written, or the first one since the last silence. */
  from_ms: number;
  to_ms: number;
  isConnected: boolean;
  /** When the last heartbeat was last written as such. */
  notedAt_ms: number;
  /** Periods that a silence ended before they were written. */
  ended: readonly Period[];
}

const NONE: readonly Period[] = [];

/** A period of a device that is connected for longer also moves its last heartbeat forward. */
const NOTED_EVERY_MS = 6 * 3_600_000;
/** Devices without a connection that wait while the database does not answer; more are dropped. */
const WAITING_MAX = 200_000;

export interface HeardDevicesOptions {
  readonly offlineAfter_ms: number;
  /** Between two writes of a connected device. */
  readonly writeEvery_s: number;
}

export class HeardDevices {
  readonly #options: HeardDevicesOptions;
  readonly #heard = new Map<number, Heard>();
  readonly #due = new Set<number>();
  /** Written, and not connected: a read that began before the statement ended still needs them. */
  #leaving: readonly number[] = [];
  #second: number | undefined;

  constructor(options: HeardDevicesOptions) {
    this.#options = options;
  }

  get hasDue(): boolean {
    return this.#due.size > 0;
  }

  /** Records a heartbeat outside of a connection: written with the next statement. */
  hear(deviceId: number, address: string, now_ms: number): void {
    if (this.#extend(deviceId, address, now_ms)) this.#due.add(deviceId);
  }

  /** Records a heartbeat of a live connection: written at the device's turn. */
  hearConnected(deviceId: number, address: string, now_ms: number): void {
    this.#extend(deviceId, address, now_ms);
  }

  connect(deviceId: number, address: string, now_ms: number): void {
    const heard = this.#extend(deviceId, address, now_ms, true);
    if (!heard) return;
    heard.isConnected = true;
    heard.notedAt_ms = Number.NEGATIVE_INFINITY;
    this.#due.add(deviceId);
  }

  disconnect(deviceId: number): void {
    const heard = this.#heard.get(deviceId);
    if (!heard?.isConnected) return;
    heard.isConnected = false;
    this.#due.add(deviceId);
  }

  get(deviceId: number): { readonly at: Date; readonly isConnected: boolean } | undefined {
    const heard = this.#heard.get(deviceId);
    return heard && { at: new Date(heard.to_ms), isConnected: heard.isConnected };
  }

  /** Each connected device has a second of its own in every interval. */
  addTurns(now_ms: number): void {
    const { writeEvery_s } = this.#options;
    const second = Math.floor(now_ms / 1000);
    const elapsed = second - (this.#second ?? second - 1);
    this.#second = second;
    if (elapsed <= 0) return;
    for (const [deviceId, heard] of this.#heard) {
      const sinceTurn = (((second - deviceId) % writeEvery_s) + writeEvery_s) % writeEvery_s;
      if (sinceTurn < elapsed && isUnwritten(heard)) this.#due.add(deviceId);
    }
  }

  /** Everything that is not written: before the instance ends. */
  addAll(): void {
    for (const [deviceId, heard] of this.#heard) if (isUnwritten(heard)) this.#due.add(deviceId);
  }

  /** The next ones to write, at most `max`; give them back to `settle` or `retry`. */
  take(max: number): readonly HeardDevice[] {
    const batch: HeardDevice[] = [];
    for (const deviceId of this.#due) {
      if (batch.length === max) break;
      this.#due.delete(deviceId);
      const heard = this.#heard.get(deviceId);
      if (heard) batch.push(toWrite(deviceId, heard));
    }
    return batch;
  }

  /** They are written. */
  settle(batch: readonly HeardDevice[]): void {
    for (const deviceId of this.#leaving) this.#forget(deviceId);
    for (const { deviceId, heardAt_ms, isNoted, periods } of batch) {
      const heard = this.#heard.get(deviceId);
      if (!heard) continue;
      // A silence may have ended the period while it was written; a union bears it twice.
      if (heard.ended.length > 0)
        heard.ended = heard.ended.filter((period) => !periods.includes(period));
      heard.from_ms = Math.max(heard.from_ms, Math.min(heardAt_ms, heard.to_ms));
      if (isNoted) heard.notedAt_ms = heardAt_ms;
    }
    this.#leaving = batch.map(({ deviceId }) => deviceId);
  }

  /** They were not written. */
  retry(batch: readonly HeardDevice[]): void {
    for (const { deviceId } of batch) this.#due.add(deviceId);
  }

  #forget(deviceId: number): void {
    if (this.#heard.get(deviceId)?.isConnected === false && !this.#due.has(deviceId))
      this.#heard.delete(deviceId);
  }

  #extend(
    deviceId: number,
    address: string,
    now_ms: number,
    isConnecting = false,
  ): Heard | undefined {
    const heard = this.#heard.get(deviceId);
    if (!heard) {
      if (!isConnecting && this.#heard.size >= WAITING_MAX) return undefined;
      const first = { address, from_ms: now_ms, to_ms: now_ms, isConnected: false };
      const added = { ...first, notedAt_ms: Number.NEGATIVE_INFINITY, ended: NONE };
      this.#heard.set(deviceId, added);
      return added;
    }
    if (now_ms - heard.to_ms > this.#options.offlineAfter_ms) {
      if (heard.to_ms > heard.from_ms)
        heard.ended = [...heard.ended, { from_ms: heard.from_ms, to_ms: heard.to_ms }];
      heard.from_ms = now_ms;
    }
    heard.to_ms = Math.max(heard.to_ms, now_ms);
    heard.address = address;
    return heard;
  }
}

function isUnwritten({ from_ms, to_ms, ended }: Heard): boolean {
  return to_ms > from_ms || ended.length > 0;
}

function toWrite(deviceId: number, heard: Heard): HeardDevice {
  const { address, from_ms, to_ms, isConnected, notedAt_ms, ended } = heard;
  const isNoted = !isConnected || to_ms - notedAt_ms >= NOTED_EVERY_MS;
  const periods = [...ended, { from_ms, to_ms }];
  return { deviceId, address, heardAt_ms: to_ms, isNoted, periods };
}
