/** How this program was started, for advice that a person can type. */
import { basename } from 'node:path';

const file = basename(process.argv[1] ?? '');

/** `node edge-terminal.mjs` when it is the one file that a service hands out. */
export const PROGRAM = file.endsWith('.mjs') ? `node ${file}` : 'edge-terminal';

/** Advice where a sign-in is over. */
export const BRING_BACK = `Run \`${PROGRAM} login\` to bring this device back.`;
