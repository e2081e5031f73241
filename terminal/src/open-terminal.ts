/** The key, tokens and client of a terminal. */
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

export class NotSignedIn extends CommandError {}

/** Address of a service without its trailing slash. */
export function readServiceUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new CommandError(`--service must be an http or https address, not ${text}`);
  return text.replace(/\/+$/, '');
}

export interface Identity {
  readonly path: string;
  readonly known: TerminalState | undefined;
  readonly key: StoredDpopKey;
  readonly clock: ServerClock;
  readonly oauth: OAuthOptions;
}

/** @throws CommandError when the key of the state is not valid */
async function openKey(
  { key }: TerminalState,
  path: string,
  clock: ServerClock,
): Promise<StoredDpopKey> {
  try {
    return await importDpopKey(key, clock);
  } catch (error) {
    throw new CommandError(
      `${path} holds no valid key (${(error as Error).message}). ` +
        'Move the file to start as a new device.',
    );
  }
}

/** The terminal's key, created at the first sign-in: the same key is the same device. */
export async function openIdentity(values: TerminalOptions): Promise<Identity> {
  const path = values.state ?? defaultStatePath();
  const known = await readState(path);
  const clock = createServerClock();
  const key = known ? await openKey(known, path, clock) : await createDpopKey(clock);
  const baseUrl = readServiceUrl(values.service ?? known?.service ?? DEFAULT_SERVICE);
  // A client ID that led to no sign-in is not kept.
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
      `this terminal is not signed in: run \`${commandLine('login', values)}\` first`,
    );
  // The tokens of a service are not sent to another one.
  if (known.service !== oauth.baseUrl) {
    const login = commandLine('login', { ...values, service: oauth.baseUrl });
    throw new NotSignedIn(`this terminal is signed in to ${known.service}: run \`${login}\` first`);
  }
  const client = createEdgeClient({
    baseUrl: oauth.baseUrl,
    tokens: createTokenSource(oauth, tokenStoreOf(path)),
    key,
    clock,
    userAgent: USER_AGENT,
  });
  return { ...identity, client, nodeId: key.thumbprint };
}
