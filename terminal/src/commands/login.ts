/**
 * `edge-terminal login`: device flow with a QR code, or authorization code with PKCE on loopback.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import {
  beginCodeLogin,
  EdgeError,
  finishCodeLogin,
  type LoginRequest,
  type OAuthOptions,
  startDeviceLogin,
  type TokenSet,
} from '@edge-account/sdk';
import { renderUnicodeCompact } from 'uqr';
import { CommandError } from '../command-error.ts';
import { listenForCallback } from '../listen-for-callback.ts';
import { COMMON_OPTIONS, openIdentity } from '../open-terminal.ts';
import type { TerminalOptions } from '../program.ts';
import { writeState } from '../state-file.ts';

const SCOPE = 'openid offline_access device:connect devices:read';
/** Quiet zone around the code. */
const QUIET_MODULES = 4;

/** White on black in every terminal: many readers do not accept an inverted code. */
function drawQrCode(text: string, isTerminal: boolean): string {
  const lines = renderUnicodeCompact(text, { border: QUIET_MODULES }).split('\n');
  return lines.map((line) => (isTerminal ? `\u001b[97;40m${line}\u001b[0m` : line)).join('\n');
}

async function loginByCode(oauth: OAuthOptions, request: LoginRequest): Promise<TokenSet> {
  const login = await startDeviceLogin(oauth, request);
  console.log(`${drawQrCode(login.verificationUriComplete, process.stdout.isTTY)}\n`);
  console.log(`Open ${login.verificationUri}\nand enter the code  ${login.userCode}\n`);
  console.log(`Waiting (the code is valid for ${Math.round(login.expiresIn_s / 60)} minutes) …`);
  return login.wait();
}

/** Opens a browser if there is one; the address is printed in any case. */
function openBrowser(url: string): void {
  const opener = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open';
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

async function loginByBrowser(oauth: OAuthOptions, request: LoginRequest): Promise<TokenSet> {
  const { redirectUri, waitFor, close } = await listenForCallback();
  try {
    const login = await beginCodeLogin(oauth, redirectUri, request);
    console.log(`Sign in at\n${login.url}`);
    openBrowser(login.url);
    return await finishCodeLogin(oauth, login, await waitFor(login.state));
  } finally {
    close();
  }
}

function readWords(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

export interface SignIn extends TerminalOptions {
  /** With a browser on this machine instead of a code. */
  readonly browser?: boolean;
  /** Traffic categories to request, separated by commas. */
  readonly categories?: string;
}

/** Signs in and stores the tokens. */
export async function signIn(values: SignIn): Promise<void> {
  const { path, known, key, oauth } = await openIdentity(values);
  // Before the sign-in: the key is stored, and a file that cannot be written is reported at once.
  await writeState(
    path,
    known ?? { service: oauth.baseUrl, clientId: oauth.clientId, key: { ...key.jwk } },
  );
  const categories =
    values.categories === undefined ? (known?.categories ?? []) : readWords(values.categories);
  const request = { scope: SCOPE, categories };
  const tokens = await (values.browser ? loginByBrowser : loginByCode)(oauth, request).catch(
    (error: unknown) => {
      if (error instanceof EdgeError && error.code === 'invalid_client')
        throw new CommandError(`${oauth.baseUrl} has no client ${oauth.clientId}`);
      throw error;
    },
  );
  await writeState(path, {
    service: oauth.baseUrl,
    clientId: oauth.clientId,
    key: { ...key.jwk },
    categories,
    tokens,
  });
  console.log(`Signed in. This device is ${key.thumbprint}.`);
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { ...COMMON_OPTIONS, browser: { type: 'boolean' }, categories: { type: 'string' } },
  });
  await signIn(values);
}
