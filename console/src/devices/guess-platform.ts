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

/** A browser on a computer is itself the device that is added with the fewest steps. */
export function guessPlatform({ userAgent, isTouched, hasProgram }: Reader): Platform {
  const isDesktopChromium = CHROMIUM.test(userAgent) && !isHandheld(userAgent) && !isTouched;
  if (isDesktopChromium && !hasProgram) return 'extension';
  return userAgent.includes('Windows') ? 'windows' : 'unix';
}
