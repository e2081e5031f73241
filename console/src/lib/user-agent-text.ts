/** Program and system of a User-Agent header, as far as a person cares. */
const PROGRAMS: readonly (readonly [string, RegExp])[] = [
  ['edge-terminal', /^edge-terminal\//],
  ['Edge', /\bEdg\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\//],
  ['Chrome', /\b(HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\b(Mac OS X|macOS)\b/],
  ['Linux', /\bLinux\b/],
];

const HANDHELD = /\b(iPhone|iPad|iPod|Android|Mobile|Tablet)\b/;

/** Whether the program says that it runs on a phone or a tablet. */
export function isHandheld(userAgent: string): boolean {
  return HANDHELD.test(userAgent);
}

const LENGTH_MAX = 60;

/** For example "Firefox, Windows"; an unknown program is shown as it names itself. */
export function programText(userAgent: string): string {
  const found = [PROGRAMS, SYSTEMS].flatMap(
    (list) => list.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? [],
  );
  return found.length > 0 ? found.join(', ') : userAgent.slice(0, LENGTH_MAX);
}
