/** Reads the configuration from the environment, and reports every mistake before the start. */
import { isIP } from 'node:net';
import type { Static, TSchema } from 'typebox';
import { ConfigSchema } from './config-schema.ts';
import { isMultiHost } from './database-settings.ts';
import { checkLedgerSettings } from './ledger-settings.ts';
import { checkUrl } from './lib/check-url.ts';
import { findPrivateKey } from './lib/detect-private-key.ts';
import { checkRewardSettings } from './reward-settings.ts';

type Environment = Static<typeof ConfigSchema>;

const ROLES = ['http', 'gateway', 'jobs', 'chains'] as const;
export type Role = (typeof ROLES)[number];

export interface Config extends Environment {
  readonly roles: ReadonlySet<Role>;
  readonly trustedProxies: readonly string[];
  readonly isLoopback: boolean;
}

/** Thrown for a wrong environment; each problem names its variable. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`the configuration is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

type Field = TSchema & {
  type?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  pattern?: string;
  anyOf?: { const: string }[];
};

/** The error of a variable's text, if any. */
function findProblem(field: Field, text: string): string | undefined {
  if (field.type === 'integer') {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = field;
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= minimum && value <= maximum
      ? undefined
      : `must be a whole number from ${minimum} to ${maximum}`;
  }
  if (field.anyOf && !field.anyOf.some((choice) => choice.const === text))
    return `must be one of ${field.anyOf.map((choice) => choice.const).join(', ')}`;
  return field.pattern && !new RegExp(field.pattern).test(text)
    ? `must match ${field.pattern}`
    : undefined;
}

/** Names of variables in which 64 hex digits are a private key of a chain. */
const KEY_NAME =
  /(?:^|_)(?:PRIVATE_?KEYS?|PRIV_?KEYS?|XPRV|MNEMONIC|SEED|WIF|SIGNERS?|(?:WALLET|SIGNER|SIGNING|DEPLOYER|SWEEP(?:ER)?|ETH|ETHEREUM|EVM|BTC|BITCOIN|LTC|LITECOIN)_?(?:KEY|SECRET|PK))(?:_|$)/i;

/**
 * Looks for private keys in all environment variables, those of other programs included. Messages
 * never contain the value.
 */
function refusePrivateKeys(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Set<string> {
  const refused = new Set<string>();
  for (const [name, text] of Object.entries(env)) {
    const kind =
      text === undefined
        ? undefined
        : findPrivateKey(text, KEY_NAME.test(name) ? 'key' : 'key with prefix');
    if (kind === undefined) continue;
    refused.add(name);
    problems.push(
      `${name} holds ${kind}: remove it, the service only watches chains and must not spend`,
    );
  }
  return refused;
}

/** Reads one variable. A wrong one gets its default, so that other mistakes are found too. */
function readVariable(
  name: string,
  field: Field,
  text: string | undefined,
  problems: string[],
): unknown {
  if (text === undefined || text === '') return field.default;
  const problem = findProblem(field, text);
  if (problem === undefined) return field.type === 'integer' ? Number(text) : text;
  problems.push(`${name} ${problem}, not ${JSON.stringify(text)}`);
  return field.default;
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** True for a URL of this machine. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && LOOPBACK_HOSTS.has(new URL(url).hostname);
}

function isProxyRange(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  return (
    family !== 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  );
}

function readRoles(
  { ROLES: text, DATABASE_URL }: Environment,
  problems: string[],
): ReadonlySet<Role> {
  const words = text.split(',').map((word) => word.trim());
  const roles = new Set(ROLES.filter((role) => words.includes(role)));
  if (words.some((word) => !ROLES.some((role) => role === word)))
    problems.push(`ROLES must name some of ${ROLES.join(', ')}, not ${JSON.stringify(text)}`);
  else if (DATABASE_URL === undefined && roles.size < ROLES.length)
    problems.push(
      'ROLES needs DATABASE_URL: the embedded database has one instance with all roles',
    );
  return roles;
}

function checkChallenge(config: Environment, problems: string[]): void {
  const { CHALLENGE, CHALLENGE_SECRET, CHALLENGE_SITE_KEY, CHALLENGE_VERIFY_URL } = config;
  checkUrl('CHALLENGE_VERIFY_URL', CHALLENGE_VERIFY_URL, ['http:', 'https:'], problems);
  const isHosted = CHALLENGE === 'turnstile' || CHALLENGE === 'hcaptcha';
  if (isHosted && (CHALLENGE_SITE_KEY === '' || CHALLENGE_SECRET === ''))
    problems.push(`CHALLENGE_SITE_KEY and CHALLENGE_SECRET are required with ${CHALLENGE}`);
}

const POSTGRES_SCHEMES = ['postgres:', 'postgresql:'];

function checkDatabase(config: Environment, problems: string[]): void {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_OWNER_URL, DATABASE_READ_URL } = config;
  const { MASTER_KEY } = config;
  const urls = { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_OWNER_URL, DATABASE_READ_URL };
  for (const [name, url] of Object.entries(urls)) {
    if (isMultiHost(url ?? ''))
      problems.push(
        `${name} must name one host: the driver tries no other. Use a proxy or an address that ` +
          'follows the primary (docs/operations.md, "Failover")',
      );
    else checkUrl(name, url, POSTGRES_SCHEMES, problems);
  }
  for (const [name, url] of Object.entries({ DATABASE_OWNER_URL, DATABASE_READ_URL }))
    if (url !== undefined && DATABASE_URL === undefined)
      problems.push(`${name} needs DATABASE_URL`);
  if (DATABASE_URL && !MASTER_KEY)
    problems.push('MASTER_KEY is required with DATABASE_URL: every instance needs the same one');
  if (MASTER_KEY && decodeMasterKey(MASTER_KEY) === undefined)
    problems.push('MASTER_KEY must be 32 bytes in base64url or hex');
}

function checkTogether(
  config: Environment,
  trustedProxies: readonly string[],
  problems: string[],
): void {
  checkUrl('BASE_URL', config.BASE_URL, ['http:', 'https:'], problems);
  if (
    URL.canParse(config.BASE_URL) &&
    new URL(config.BASE_URL).origin !== config.BASE_URL.replace(/\/$/, '')
  ) {
    problems.push(
      'BASE_URL must be scheme, host and port in lower case: no user, path, query or fragment',
    );
  }
  if (config.BASE_URL.endsWith('/'))
    problems.push(
      'BASE_URL must not end with a slash: it is compared as a string by OpenID Connect clients',
    );
  checkDatabase(config, problems);
  checkUrl('SMTP_URL', config.SMTP_URL, ['smtp:', 'smtps:'], problems);
  checkUrl('SMTP_FALLBACK_URL', config.SMTP_FALLBACK_URL, ['smtp:', 'smtps:'], problems);
  if (!/^[^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/.test(config.MAIL_FROM))
    problems.push('MAIL_FROM must be an address, or a name and <address>');
  const plain = config.OUTGOING_LOOPBACK === 'allow' ? ['http:'] : [];
  checkLedgerSettings(config, problems);
  checkRewardSettings(config, problems);
  checkUrl('SIGNED_HEADS_TO', config.SIGNED_HEADS_TO, ['file:', 'https:', ...plain], problems);
  checkUrl('AUTHORIZATION_PAGE_URL', config.AUTHORIZATION_PAGE_URL, ['http:', 'https:'], problems);
  checkUrl('EXTENSION_URL', config.EXTENSION_URL, ['https:'], problems);
  checkChallenge(config, problems);
  for (const range of trustedProxies) {
    if (!isProxyRange(range))
      problems.push(
        `TRUSTED_PROXIES holds ${JSON.stringify(range)}, which is no address or CIDR range`,
      );
  }
  const isLoopback = LOOPBACK_HOSTS.has(config.HOST) && isLoopbackUrl(config.BASE_URL);
  if (!config.SMTP_URL && !isLoopback)
    problems.push(
      'SMTP_URL is required unless HOST and BASE_URL are loopback: it delivers the email codes',
    );
  if (!isLoopback && config.BASE_URL.startsWith('http:') && !isLoopbackUrl(config.BASE_URL))
    problems.push(
      'BASE_URL must begin with https:// unless it is loopback: passwords and tokens travel to it',
    );
}

/** Decodes a master key; undefined when it is not exactly 32 bytes. */
export function decodeMasterKey(text: string): Buffer | undefined {
  const bytes = /^[0-9a-fA-F]{64}$/.test(text)
    ? Buffer.from(text, 'hex')
    : Buffer.from(text, 'base64url');
  return bytes.length === 32 ? bytes : undefined;
}

/**
 * Reads the configuration.
 * @param env the process's environment
 * @throws ConfigError naming every wrong variable
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const refused = refusePrivateKeys(env, problems);
  for (const [name, field] of Object.entries(ConfigSchema.properties)) {
    values[name] = readVariable(
      name,
      field as Field,
      refused.has(name) ? undefined : env[name],
      problems,
    );
  }
  const config = values as Environment;
  config.BASE_URL ||= `http://localhost:${config.PORT}`;
  config.AUTHORIZATION_PAGE_URL ||= `${config.BASE_URL}/authorize`;
  const trustedProxies = config.TRUSTED_PROXIES.split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');
  checkTogether(config, trustedProxies, problems);
  const roles = readRoles(config, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    ...config,
    roles,
    trustedProxies,
    isLoopback: LOOPBACK_HOSTS.has(config.HOST) && isLoopbackUrl(config.BASE_URL),
  };
}
