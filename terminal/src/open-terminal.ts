/** Everything a command needs of a terminal that has signed in. */
import {
  createDpopKey,
  createEdgeClient,
  createServerClock,
  createTokenSource,
  type EdgeClient,
  importDpopKey,
  type OAuthOptions,
  type ServerClock,
  type StoredDpopKey,
} from '@edge-account/sdk';
import { CommandError } from './command-error.ts';
import { commandLine, type TerminalOptions, USER_AGENT } from './program.ts';
import { defaultStatePath, readState, type TerminalState, tokenStoreOf } from './state-file.ts';

const DEFAULT_SERVICE = 'http://localhost:8080';
const DEFAULT_CLIENT = 'edge-terminal';

export const COMMON_OPTIONS = {
  service: { type: 'string' },
  state: { type: 'string' },
  'client-id': { type: 'string' },
} as const;

/** Nobody has signed in yet. */
export class NotSignedIn extends CommandError {}

/** Address of a service without its trailing slash. */
export function readServiceUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CommandError(`--service must be a http or https address, not ${text}`);
  return text.replace(/\/+$/, '');
}

export interface Identity {
  readonly path: string;
  readonly known: TerminalState | undefined;
  readonly key: StoredDpopKey;
  readonly clock: ServerClock;
  readonly oauth: OAuthOptions;
}

/** @throws CommandError when the key of the state is none */
async function openKey(
  { key }: TerminalState,
  path: string,
  clock: ServerClock,
): Promise<StoredDpopKey> {
  try {
    return await importDpopKey(key, clock);
  } catch (error) {
    throw new CommandError(
      `${path} holds no key of a terminal (${(error as Error).message}). Move it away to begin as a new device.`,
    );
  }
}

/** The terminal's key, made at the first sign-in and kept ever after: the same key is the same device. */
export async function openIdentity(values: TerminalOptions): Promise<Identity> {
  const path = values.state ?? defaultStatePath();
  const known = await readState(path);
  const clock = createServerClock();
  const key = known ? await openKey(known, path, clock) : await createDpopKey(clock);
  const baseUrl = readServiceUrl(values.service ?? known?.service ?? DEFAULT_SERVICE);
  // What was tried, and led to no sign-in, is not kept.
  const clientId = values['client-id'] ?? (known?.tokens && known.clientId) ?? DEFAULT_CLIENT;
  return {
    path,
    known,
    key,
    clock,
    oauth: { baseUrl, clientId, key, clock, userAgent: USER_AGENT },
  };
}

export interface Terminal extends Identity {
  readonly client: EdgeClient;
  readonly nodeId: string;
}

/** @throws NotSignedIn */
export async function openTerminal(values: TerminalOptions): Promise<Terminal> {
  const identity = await openIdentity(values);
  const { path, known, key, clock, oauth } = identity;
  if (!known?.tokens)
    throw new NotSignedIn(
      `nobody has signed in on this terminal: run \`${commandLine('login', values)}\` first`,
    );
  // The tokens of one service are no business of another.
  if (known.service !== oauth.baseUrl)
    throw new NotSignedIn(
      `this terminal is signed in to ${known.service}: run \`${commandLine('login', { ...values, service: oauth.baseUrl })}\` first`,
    );
  const client = createEdgeClient({
    baseUrl: oauth.baseUrl,
    tokens: createTokenSource(oauth, tokenStoreOf(path)),
    key,
    clock,
    userAgent: USER_AGENT,
  });
  return { ...identity, client, nodeId: key.thumbprint };
}
