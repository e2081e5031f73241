/** Calendar days in UTC, written `yyyy-MM-dd`. */
import { fieldError } from './failures.ts';

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DAY_MS = 86_400_000;

/** True for a day that exists (no 30 February), years 0001 to 9999. */
export function isCalendarDay(text: string): boolean {
  if (!DAY.test(text) || text.startsWith('0000')) return false;
  // Every month has 28 days.
  if (text.slice(8) <= '28') return true;
  return new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) === text;
}

/** The first instant of a day. */
export function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** The UTC day of an instant. */
export function toDay(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The day `count` days later (or earlier, when negative). */
export function addDays(day: string, count: number): string {
  return toDay(new Date(startOfDay(day).getTime() + count * DAY_MS));
}

/** Whole days from `begin` to `end`, both included. */
export function daysBetween(begin: string, end: string): number {
  return Math.round((startOfDay(end).getTime() - startOfDay(begin).getTime()) / DAY_MS) + 1;
}

/** The days from `begin` to `end`, both included. */
export function listDays(begin: string, end: string): string[] {
  const first_ms = startOfDay(begin).getTime();
  return Array.from({ length: daysBetween(begin, end) }, (_, n) =>
    toDay(new Date(first_ms + n * DAY_MS)),
  );
}

/**
 * An inclusive range of days as half-open instants: `from <= t < before`. Refuses a begin after its
 * end.
 */
export function dayRange(
  begin: string | undefined,
  end: string | undefined,
  beginName: string,
): { from?: Date; before?: Date } {
  if (begin !== undefined && end !== undefined && begin > end)
    throw fieldError(beginName, 'begin_after_end', 'is after the end date');
  return {
    ...(begin !== undefined && { from: startOfDay(begin) }),
    ...(end !== undefined && { before: new Date(startOfDay(end).getTime() + DAY_MS) }),
  };
}
