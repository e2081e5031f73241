/** How this program was started, for advice that a person can type, and what it calls itself to a service. */
import { type as osType } from 'node:os';
import { basename } from 'node:path';

/** As people know them. */
const SYSTEMS: Readonly<Record<string, string>> = { Darwin: 'macOS', Windows_NT: 'Windows' };

const file = basename(process.argv[1] ?? '');

/** `node edge-terminal.mjs` when it is the one file that a service hands out. */
export const PROGRAM = file.endsWith('.mjs') ? `node ${file}` : 'edge-terminal';

/** Advice where a sign-in is over. */
export const BRING_BACK = `Run \`${PROGRAM} login\` to bring this device back.`;

export const VERSION = '0.1.0';

/** What people read of it before they let it in. */
export const USER_AGENT = `edge-terminal/${VERSION} (${SYSTEMS[osType()] ?? osType()})`;
