/**
 * The service worker: signs in on a tab, registers this browser as a device, and stays connected.
 * Chrome ends an idle worker at any time; an alarm starts it again with its stored state.
 */
import {
  beginCodeLogin,
  createBackoff,
  createDeviceConnection,
  createEdgeClient,
  createServerClock,
  createTokenSource,
  type DeviceState,
  dpopKeyOf,
  EdgeError,
  endingCodeOf,
  FINAL_CODES,
  finishCodeLogin,
  type OAuthOptions,
  type PendingCodeLogin,
  registerDevice,
  revokeToken,
  type TokenSet,
} from '@edge-account/sdk';
import { CALLBACK_URL, SERVICE_URL, VERSION } from './constants.ts';
import { describeSystem } from './describe-system.ts';
import { Earnings } from './earnings.ts';
import { loadKeyPair } from './key-store.ts';
import type { Request, Status } from './messages.ts';

const CLIENT_ID = 'edge-extension';
const SCOPE = 'openid offline_access device:connect devices:read';
const ALARM = 'stay-connected';
const ALARM_EVERY_MIN = 0.5;
/** Chrome ends a worker that is silent for 30 seconds. */
const BEAT_EVERY_S = 20;
/** Sign-ins that may still be completed on a tab. */
const SIGN_INS_MAX = 10;

interface Stored {
  /** Null: signed out a moment ago. */
  readonly tokens?: TokenSet | null;
  /** Of earlier sign-ins: removed once the service has revoked them. */
  readonly revoking?: readonly TokenSet[];
  /** One for each tab, the newest last. */
  readonly signIns?: readonly PendingCodeLogin[];
  /** The code of why the device is no longer connected. */
  readonly ended?: string;
  /** It was signed out without the service. */
  readonly isLocal?: boolean;
}

const load = (): Promise<Stored> =>
  chrome.storage.local.get(['tokens', 'revoking', 'signIns', 'ended', 'isLocal']);

const clock = createServerClock();
let state: DeviceState | undefined;
let earnings: Earnings | undefined;
let running: Promise<void> | undefined;
let stop = new AbortController();
const backoff = createBackoff();
/** Earliest time of the next attempt, by `performance.now()`. */
let triesAgainAt_ms = 0;

async function oauthOptions(): Promise<OAuthOptions> {
  return {
    baseUrl: SERVICE_URL,
    clientId: CLIENT_ID,
    key: await dpopKeyOf(await loadKeyPair(), clock),
    clock,
  };
}

async function connect(signal: AbortSignal): Promise<void> {
  const oauth = await oauthOptions();
  const nodeId = oauth.key?.thumbprint ?? '';
  const tokens = createTokenSource(oauth, {
    load: async () => (await load()).tokens ?? undefined,
    async save(fresh) {
      // Not after a sign-out or another sign-in in the meantime.
      if (!signal.aborted) await chrome.storage.local.set({ tokens: fresh });
    },
  });
  const client = createEdgeClient({
    baseUrl: SERVICE_URL,
    tokens,
    clock,
    ...(oauth.key && { key: oauth.key }),
  });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const form = {
    device_type: 'EXTENSION' as const,
    extension_version: VERSION,
    timezone: timeZone,
    capabilities: ['fetch'],
    ...describeSystem(),
  };
  await registerDevice(client, nodeId, form);
  backoff.reset();
  earnings = new Earnings(client, nodeId);
  const connection = createDeviceConnection({
    client,
    nodeId,
    beatAtLeastEvery_s: BEAT_EVERY_S,
    onState(next) {
      state = next;
    },
  });
  const end = await connection.run(signal);
  if (signal.aborted || end.status !== 'ended') return;
  await endWith(end.code);
}

/** Removes the tokens of a device that was revoked. */
async function endWith(code: string): Promise<void> {
  await chrome.storage.local.remove('tokens');
  await chrome.storage.local.set({ ended: code });
}

function waitAfter(error: unknown): void {
  const wait_ms = backoff.next(error instanceof EdgeError ? error.retryAfter_s : undefined);
  triesAgainAt_ms = performance.now() + wait_ms;
  const reason = error instanceof Error ? error.message : String(error);
  state = { status: 'waiting', wait_ms, code: codeOf(error), reason };
}

function codeOf(error: unknown): string {
  return error instanceof EdgeError ? endingCodeOf(error) : 'failed';
}

/**
 * Connects if there are tokens and no connection. A connection that a sign-out or another sign-in
 * stopped may still be closing; then it starts the next one.
 */
async function ensureRunning(): Promise<void> {
  if (!(await load()).tokens || running || performance.now() < triesAgainAt_ms) return;
  stop = new AbortController();
  const { signal } = stop;
  running = connect(signal)
    .catch(async (error: unknown) => {
      if (signal.aborted) return;
      // Only a new sign-in resolves a final error; others are tried again.
      if (error instanceof EdgeError && FINAL_CODES.has(error.code)) await endWith(codeOf(error));
      else waitAfter(error);
    })
    .finally(() => {
      running = undefined;
      if (signal.aborted) void ensureRunning();
    });
}

async function signIn(): Promise<void> {
  const begun = await beginCodeLogin(await oauthOptions(), CALLBACK_URL, { scope: SCOPE });
  const { signIns = [] } = await load();
  await chrome.storage.local.set({ signIns: [...signIns, begun].slice(-SIGN_INS_MAX) });
  await chrome.tabs.create({ url: begun.url });
}

/**
 * Handles the redirect of a sign-in. Any page may redirect here; an unknown state has no effect.
 */
async function finishSignIn(tabId: number, url: string): Promise<void> {
  const { signIns = [] } = await load();
  const answered = new URL(url).searchParams.get('state');
  const begun = signIns.find((signIn) => signIn.state === answered);
  if (!begun) return;
  await chrome.storage.local.set({ signIns: signIns.filter((signIn) => signIn !== begun) });
  await chrome.storage.local.remove(['ended', 'isLocal']);
  // The tab may be closed already.
  await chrome.tabs.remove(tabId).catch(() => {});
  try {
    triesAgainAt_ms = 0;
    const tokens = await finishCodeLogin(await oauthOptions(), begun, url);
    const { tokens: former, revoking = [] } = await load();
    // The connection of an earlier sign-in must not end or replace the new tokens. The next one
    // registers the device with them.
    stop.abort();
    await chrome.storage.local.set({ tokens, revoking: former ? [...revoking, former] : revoking });
    await (running ?? ensureRunning());
    void revokeStored();
  } catch (error) {
    await chrome.storage.local.set({ ended: codeOf(error) });
  }
}

/**
 * Revokes the tokens of earlier sign-ins. What fails is tried again with the next alarm, also by
 * another worker: Chrome may have ended the one that signed out.
 * @returns the code of why a revocation failed
 */
async function revokeStored(): Promise<string | undefined> {
  try {
    for (const tokens of (await load()).revoking ?? []) {
      const { refreshToken, accessToken } = tokens;
      await revokeToken(await oauthOptions(), refreshToken ?? accessToken);
      const { revoking = [] } = await load();
      const left = revoking.filter((other) => other.accessToken !== accessToken);
      await chrome.storage.local.set({ revoking: left });
    }
    // The service knows of the sign-out now.
    if ((await load()).isLocal) await chrome.storage.local.remove(['ended', 'isLocal']);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

async function signOut(): Promise<void> {
  const { tokens, revoking = [] } = await load();
  stop.abort();
  // In one step: the connection that ends must not find the tokens again, and they must not be
  // lost before they are revoked.
  await chrome.storage.local.set({
    tokens: null,
    revoking: tokens ? [...revoking, tokens] : revoking,
  });
  await chrome.storage.local.remove(['tokens', 'signIns', 'ended', 'isLocal']);
  const failed = await revokeStored();
  if (failed !== undefined) await chrome.storage.local.set({ ended: failed, isLocal: true });
}

/** What a worker does that Chrome has started. */
function wake(): void {
  void ensureRunning();
  void revokeStored();
}

async function readStatus(): Promise<Status> {
  const { tokens, ended, isLocal = false } = await load();
  if (!tokens)
    return ended === undefined
      ? { state: 'signedOut' }
      : { state: 'stopped', code: ended, isLocal };
  if (state?.status === 'online') return { state: 'online', ...earnings?.read() };
  if (state?.status === 'waiting') return { state: 'waiting', code: state.code };
  return { state: 'connecting' };
}

chrome.runtime.onMessage.addListener(
  (request: Request, _sender, answer: (status: Status) => void) => {
    const work = { status: ensureRunning, 'sign-in': signIn, 'sign-out': signOut }[request.type];
    void work()
      .then(readStatus)
      .then(answer, (error: unknown) => answer({ state: 'stopped', code: codeOf(error) }));
    return true;
  },
);
// Addresses of other tabs stay hidden: the manifest has no right to see them.
chrome.tabs.onUpdated.addListener((tabId, { url }) => {
  if (url?.startsWith(`${CALLBACK_URL}?`)) void finishSignIn(tabId, url);
});
chrome.alarms.onAlarm.addListener(wake);
chrome.runtime.onStartup.addListener(wake);
void chrome.alarms.create(ALARM, { periodInMinutes: ALARM_EVERY_MIN });
wake();
