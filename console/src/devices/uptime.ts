/** How long a device was online. The service lists hours with usage only. */
import type { UsageHour } from './queries.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const HOURS_A_DAY = 24;
export const DAYS = 7;
/** Cells of a strip: each stands for so many hours. */
const CELL_HOURS = 6;

export interface Hour {
  /** Its start. */
  readonly iso: string;
  /** Over, and not from before the device was added. */
  readonly isCounted: boolean;
  readonly usage: UsageHour | undefined;
}

/** The end of the hour that begins at an instant. */
export function endOf(iso: string): string {
  return new Date(Date.parse(iso) + HOUR_MS).toISOString();
}

/** Every hour of the last seven UTC days, today included, oldest first. */
export function listHours(
  usage: readonly UsageHour[],
  createdAt: string,
  now: Date,
): readonly Hour[] {
  const found = new Map(usage.map((hour) => [hour.hour, hour]));
  const today_ms = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const added_ms = Math.floor(Date.parse(createdAt) / HOUR_MS) * HOUR_MS;
  return Array.from({ length: DAYS * HOURS_A_DAY }, (_, at) => {
    const start_ms = today_ms - (DAYS - 1) * DAY_MS + at * HOUR_MS;
    const iso = new Date(start_ms).toISOString();
    const isCounted = start_ms >= added_ms && start_ms + HOUR_MS <= now.getTime();
    return { iso, isCounted, usage: found.get(iso) };
  });
}

/** Part of the counted hours that the device was online, 0 to 1; undefined without any. */
export function shareOnline(hours: readonly Hour[]): number | undefined {
  const counted = hours.filter(({ isCounted }) => isCounted);
  if (counted.length === 0) return undefined;
  const seconds = counted.reduce((sum, { usage }) => sum + (usage?.online_seconds ?? 0), 0);
  return seconds / (counted.length * 3600);
}

export type Level = 'none' | 'off' | 'part' | 'most' | 'full';

/** A share as one of a few colours. Times are written every five minutes: 0.95 is full. */
export function levelOf(share: number | undefined): Level {
  if (share === undefined) return 'none';
  if (share >= 0.95) return 'full';
  if (share >= 0.5) return 'most';
  return share > 0 ? 'part' : 'off';
}

/** The cells of a strip, with the start of each. */
export function listCells(hours: readonly Hour[]): readonly { iso: string; level: Level }[] {
  return hours
    .filter((_, at) => at % CELL_HOURS === 0)
    .map(({ iso }, cell) => {
      const own = hours.slice(cell * CELL_HOURS, (cell + 1) * CELL_HOURS);
      return { iso, level: levelOf(shareOnline(own)) };
    });
}
