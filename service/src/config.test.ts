import { expect, test } from 'vitest';
import { BARE_HEX_KEY, PRIVATE_KEYS } from '../test/support/private-keys.ts';
import { ConfigError, readConfig } from './config.ts';
import { ConfigSchema } from './config-schema.ts';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('an empty environment configures a laptop: loopback, embedded database, own page', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 8080,
    HOST: '127.0.0.1',
    BASE_URL: 'http://localhost:8080',
    AUTHORIZATION_PAGE_URL: 'http://localhost:8080/authorize',
    DATA_DIR: './data',
    REWARD_CURRENCY: 'EDGE',
    DISPLAY_CURRENCY: 'USDT',
    isLoopback: true,
  });
});

test.each([
  [{ PORT: 'eighty' }, 'PORT'],
  [{ PORT: '0' }, 'PORT'],
  [{ PORT: '1e3' }, 'PORT'],
  [{ BASE_URL: 'http://localhost:8080/' }, 'BASE_URL'],
  [{ BASE_URL: 'localhost' }, 'BASE_URL'],
  [{ BASE_URL: 'http://localhost:8080?x=1' }, 'BASE_URL'],
  [{ BASE_URL: 'http://localhost:8080#f' }, 'BASE_URL'],
  [{ BASE_URL: 'http://user:pw@localhost:8080' }, 'BASE_URL'],
  [{ BASE_URL: 'http://localhost:8080/sub' }, 'BASE_URL'],
  [{ MAIL_FROM: 'zzz' }, 'MAIL_FROM'],
  [{ BASE_URL: 'http://edge.example', SMTP_URL: 'smtp://mail' }, 'BASE_URL'],
  [{ DATABASE_URL: 'mysql://x', MASTER_KEY: 'a'.repeat(64) }, 'DATABASE_URL'],
  [{ DATABASE_URL: 'postgres://localhost/x' }, 'MASTER_KEY'],
  [{ DATABASE_READ_URL: 'postgres://standby/x' }, 'DATABASE_READ_URL'],
  [
    {
      DATABASE_URL: 'postgres://localhost/x',
      DATABASE_READ_URL: 'postgres://a,b/x',
      MASTER_KEY: 'a'.repeat(64),
    },
    'DATABASE_READ_URL',
  ],
  [{ MASTER_KEY: 'short' }, 'MASTER_KEY'],
  [{ SMTP_URL: 'http://mail' }, 'SMTP_URL'],
  [{ HOST: '0.0.0.0' }, 'SMTP_URL'],
  [{ TRUSTED_PROXIES: '10.0.0.0/8, nonsense' }, 'TRUSTED_PROXIES'],
  [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ REWARD_CURRENCY: 'edge' }, 'REWARD_CURRENCY'],
  [{ DISPLAY_CURRENCY: 'us dollar' }, 'DISPLAY_CURRENCY'],
  [{ LOGIN_TOKEN_TTL: '-5' }, 'LOGIN_TOKEN_TTL'],
  [{ ROLES: 'http' }, 'ROLES'],
  [
    { ROLES: 'http,cook', DATABASE_URL: 'postgres://localhost/x', MASTER_KEY: 'a'.repeat(64) },
    'ROLES',
  ],
])('a mistake is named: %j', (env, name) => {
  expect(problemsOf(env).some((problem) => problem.startsWith(name))).toBe(true);
});

test('signed heads go to a directory or over https; over http only to this machine', () => {
  const env = { SIGNED_HEADS_TO: 'http://127.0.0.1:8000/heads' };
  expect(problemsOf(env)).toEqual([expect.stringContaining('SIGNED_HEADS_TO must be a URL')]);
  expect(problemsOf({ ...env, OUTGOING_LOOPBACK: 'allow' })).toEqual([]);
  expect(problemsOf({ SIGNED_HEADS_TO: 'file:///mnt/heads' })).toEqual([]);
  const REWARD_ARCHIVE_TO = 'file:///mnt/rewards';
  expect(problemsOf({ REWARD_ARCHIVE_TO, REWARD_KEPT_DAYS: '31' })).toEqual([]);
  expect(problemsOf({ REWARD_ARCHIVE_TO: '/mnt/rewards' })).toHaveLength(1);
  expect(problemsOf({ REWARD_KEPT_DAYS: '31' })).toHaveLength(1);
  expect(problemsOf({ REWARD_ARCHIVE_TO, REWARD_KEPT_DAYS: '30' })).toHaveLength(1);
  const longer = { TRAFFIC_REPORT_WINDOW: '7776000', REWARD_KEPT_DAYS: '96' };
  expect(problemsOf({ REWARD_ARCHIVE_TO, ...longer })).toHaveLength(1);
  expect(problemsOf({ LEDGER_ARCHIVE_TO: 'file:///mnt/archive' })).toEqual([]);
  expect(problemsOf({ LEDGER_ARCHIVE_TO: 'https://archive.example.com' })).toHaveLength(1);
  const both = { LEDGER_ARCHIVE_TO: REWARD_ARCHIVE_TO, REWARD_ARCHIVE_TO, REWARD_KEPT_DAYS: '31' };
  expect(problemsOf({ ...both, LEDGER_KEPT_MONTHS: '6' })).toEqual([]);
  expect(problemsOf({ ...both, LEDGER_KEPT_MONTHS: '1' })).toHaveLength(1);
  expect(problemsOf({ LEDGER_KEPT_MONTHS: '6' })).toHaveLength(2);
});

test('the extension is in a store with https', () => {
  expect(problemsOf({ EXTENSION_URL: 'https://store.example.com/edge' })).toEqual([]);
  expect(problemsOf({ EXTENSION_URL: 'http://store.example.com/edge' })).toHaveLength(1);
  expect(problemsOf({ EXTENSION_URL: 'javascript:alert(1)' })).toHaveLength(1);
});

test('all mistakes are reported at once', () => {
  expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'y' })).toHaveLength(2);
});

test.each([
  'postgres://a.test,b.test/edge',
  'postgres://user:secret@a.test:5432,b.test:5432/edge?target_session_attrs=read-write',
  'postgres://a.test/edge?sslmode=require&target_session_attrs=primary',
])('several database hosts are refused with the reason: %s', (url) => {
  const env = { DATABASE_URL: 'postgres://a.test/edge', MASTER_KEY: '0'.repeat(64) };
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL']) {
    const problems = problemsOf({ ...env, [name]: url });
    expect(problems).toEqual([expect.stringContaining(`${name} must name one host`)]);
    expect(problems.join()).not.toContain('secret');
  }
});

test.each(Object.entries(PRIVATE_KEYS))(
  '%s stops the start, in any variable, and is not printed',
  (_name, secret) => {
    for (const variable of [...Object.keys(ConfigSchema.properties), 'WALLET_OF_ANOTHER_PROGRAM']) {
      const problems = problemsOf({ [variable]: secret });
      expect(problems[0], variable).toContain(`${variable} holds `);
      expect(problems.join()).not.toContain(secret);
    }
  },
);

test('64 hexadecimal digits are a private key only in a variable whose name suggests one', () => {
  expect(
    problemsOf({
      MASTER_KEY: BARE_HEX_KEY,
      DATABASE_URL: `postgres://edge:${BARE_HEX_KEY}@db.example/edge`,
    }),
  ).toEqual([]);
  for (const variable of [
    'PRIVATE_KEY',
    'DEPLOYER_PRIVATE_KEY',
    'HOT_WALLET_PRIVKEY',
    'SEED',
    'WALLET_KEY',
    'SIGNER',
  ])
    expect(problemsOf({ [variable]: BARE_HEX_KEY })).toHaveLength(1);
});
