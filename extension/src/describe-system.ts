/** What the list of devices shows of this browser. */

/** Common names; the user agent of a browser on Linux begins with the window system. */
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Windows NT/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Android/, 'Android'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** Browser with its version, and operating system; empty: unknown. */
export function describeSystem(): { browser: string; os: string } {
  const { userAgent } = navigator;
  const browser =
    /(?:Edg|OPR|Firefox|Chrome)\/\d+/.exec(userAgent)?.[0].replace('/', ' ') ?? 'Browser';
  return { browser, os: SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? '' };
}
