/** The identity routes of several instances, and providers whose answers a test chooses. */
import { type Database, transaction } from '../../src/db/index.ts';
import { type ProviderSettings, putProvider } from '../../src/identity/index.ts';
import { openTestDatabase } from './databases.ts';
import { type EvilOp, startEvilOp } from './evil-op.ts';
import { createIdentityServer, type IdentityServer, type SignedIn } from './identity-server.ts';
import { testConfig, testMasterKey } from './test-config.ts';

/** What browsers send with the calls of a page. */
export const PAGE = { 'sec-fetch-site': 'same-origin' } as const;

interface UpstreamCallback {
  readonly provider: string;
  readonly state: string;
  readonly code: string;
  readonly iss?: string;
}

type Headers = Record<string, string>;

export interface EvilSignIn {
  readonly database: Database;
  readonly server: IdentityServer;
  readonly op: EvilOp;
  /** Stores the provider `evil`, or another one. */
  setUp(fields?: Partial<ProviderSettings>): Promise<void>;
  /** Starts a sign-in in a new browser. */
  start(provider?: string, headers?: Headers): Promise<{ url: string; cookie: string }>;
  finish(callback: UpstreamCallback, cookie: string): ReturnType<IdentityServer['post']>;
  /** Starts, returns and finishes. */
  signIn(): Promise<{ answer: Awaited<ReturnType<IdentityServer['post']>>; cookie: string }>;
  /** Starts a link in a session, and returns what finishes it. */
  startLink(
    person: Pick<SignedIn, 'headers'>,
  ): Promise<{ callback: UpstreamCallback; own: Headers }>;
  /** Registers with what a sign-in has answered, and mails a code. */
  register(cookie: string, body: Record<string, unknown>): ReturnType<IdentityServer['post']>;
  close(): Promise<void>;
}

export async function createEvilSignIn(): Promise<EvilSignIn> {
  const database = await openTestDatabase('server');
  const server = createIdentityServer(database, { config: testConfig({ CHALLENGE: 'off' }) });
  const op = await startEvilOp();
  const cookieOf = (answer: { headers: Record<string, unknown> }): string =>
    String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  const setUp: EvilSignIn['setUp'] = (fields = {}) =>
    transaction(database, (tx) =>
      putProvider(
        tx,
        { clock: server.clock, masterKey: testMasterKey },
        {
          ...{ id: 'evil', label: 'Evil', issuer: op.issuer, clientId: 'edge' },
          ...{ credential: { secret: 'secret' }, scopes: ['openid', 'email'] },
          ...{ secondFactorAmr: [], responseMode: 'query', isEnabled: true, ...fields },
        },
      ),
    );
  const start: EvilSignIn['start'] = async (provider = 'evil', headers = PAGE) => {
    const answer = await server.post('/user/login/upstream', { provider }, headers);
    return { url: answer.json().authorization_url ?? answer.body, cookie: cookieOf(answer) };
  };
  const finish: EvilSignIn['finish'] = (callback, cookie) =>
    server.post('/user/login/upstream/finish', { ...callback }, { cookie, ...PAGE });
  await setUp();
  return {
    ...{ database, server, op, setUp, start, finish },
    async signIn() {
      const { url, cookie } = await start();
      return { answer: await finish({ provider: 'evil', ...op.visit(url) }, cookie), cookie };
    },
    async startLink({ headers }) {
      const started = await server.post(
        '/me/upstream-identities/start',
        { provider: 'evil' },
        { ...headers, ...PAGE },
      );
      const callback = { provider: 'evil', ...op.visit(started.json().authorization_url) };
      return { callback, own: { ...headers, ...PAGE, cookie: cookieOf(started) } };
    },
    register: (cookie, body) =>
      server.post('/user/register/upstream', { nickname: 'Ada', ...body }, { cookie, ...PAGE }),
    async close() {
      await server.close();
      await op.close();
      await database.close();
    },
  };
}
