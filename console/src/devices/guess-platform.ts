/** What a new device most likely is, by the browser that asks. */
import { isHandheld } from '../lib/user-agent-text.ts';
import type { CommandLine } from './start-command.ts';

export type Platform = 'extension' | CommandLine;

interface Reader {
  readonly userAgent: string;
  readonly isTouched: boolean;
  /** A program on the device led here: it waits for its code. */
  readonly hasProgram: boolean;
}

/** Of Chromium and all browsers made of it, which take the extension. */
const CHROMIUM = /Chrome\//;

/**
 * A browser on a computer is itself the device that is added with the fewest steps. Who holds a
 * phone is shown the same way, which begins with opening this page on a computer.
 */
export function guessPlatform({ userAgent, isTouched, hasProgram }: Reader): Platform {
  const isAway = isTouched || isHandheld(userAgent);
  if (!hasProgram && (isAway || CHROMIUM.test(userAgent))) return 'extension';
  return userAgent.includes('Windows') ? 'windows' : 'unix';
}
