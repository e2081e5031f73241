/** Program and system of a User-Agent header, as far as a person cares. */
const PROGRAMS: readonly (readonly [string, RegExp])[] = [
  ['Edge Terminal', /^edge-terminal\//],
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

/** The product that a header begins with, without its version (RFC 9110, 10.1.5). */
const PRODUCT = /^([A-Za-z][\w.-]{0,39})(?:[/ ]|$)/;

interface Program {
  /** An unknown program by the name that it gives itself. Empty: it has none. */
  readonly browser: string;
  /** Empty: unknown. */
  readonly os: string;
}

/** For example Firefox and Windows. */
export function readUserAgent(userAgent: string): Program {
  const [known, os = ''] = [PROGRAMS, SYSTEMS].map(
    (list) => list.find(([, pattern]) => pattern.test(userAgent))?.[0],
  );
  const product = PRODUCT.exec(userAgent)?.[1] ?? '';
  // What every browser begins with says nothing.
  const named = product === 'Mozilla' || os !== '' ? '' : product;
  return { browser: known ?? named, os };
}
