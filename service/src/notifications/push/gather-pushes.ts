/** Which of the notifications that wait for a browser share one message. */
import type { PushedNotification } from './write-push.ts';

/** Notifications that wait together, and have a message each. */
export const SINGLES_MAX = 3;

/**
 * More than a few share one message with their number: a lock screen is no list. A sign-in is a
 * warning, and has a message of its own, so that no attacker hides it among others; it comes first.
 * @param waiting oldest first
 * @returns the notifications of each message; none is empty
 */
export function gatherPushes(waiting: readonly PushedNotification[]): PushedNotification[][] {
  const others = waiting.filter(({ kind }) => kind !== 'sign_in');
  if (others.length <= SINGLES_MAX) return waiting.map((one) => [one]);
  const signIns = waiting.filter(({ kind }) => kind === 'sign_in');
  return [...signIns.map((one) => [one]), others];
}
