/**
 * All configuration, read once from the environment through one schema. Every mistake is reported with the
 * variable's name before anything starts. `docs/configuration.md` is generated from this schema.
 */
import { isIP } from 'node:net';
import Type, { type Static, type TInteger, type TSchema } from 'typebox';
import { findPrivateKey } from './lib/detect-private-key.ts';

const DURATION = { type: 'integer' as const };

function seconds(
  defaultValue: number,
  description: string,
  minimum = 1,
  maximum = 31_536_000,
): TInteger {
  return Type.Integer({
    ...DURATION,
    default: defaultValue,
    minimum,
    maximum,
    description: `${description} Unit: seconds.`,
  });
}

function count(defaultValue: number, description: string, maximum: number): TInteger {
  return Type.Integer({ default: defaultValue, minimum: 1, maximum, description });
}

export const ConfigSchema = Type.Object({
  PORT: Type.Integer({
    default: 8080,
    minimum: 1,
    maximum: 65535,
    description: 'TCP port to listen on.',
  }),
  HOST: Type.String({ default: '127.0.0.1', minLength: 1, description: 'Address to listen on.' }),
  BASE_URL: Type.String({
    default: '',
    description:
      'Public address of the service and issuer of its tokens, without a trailing slash. Default: `http://localhost:PORT`.',
  }),
  DATA_DIR: Type.String({
    default: './data',
    minLength: 1,
    description: 'Folder of the embedded database, the master key and `operator.json`.',
  }),
  DATABASE_URL: Type.Optional(
    Type.String({
      description:
        'PostgreSQL 15 or newer (`postgres://…`). Absent: the embedded database in `DATA_DIR`.',
    }),
  ),
  DATABASE_DIRECT_URL: Type.Optional(
    Type.String({
      description:
        'Connection for LISTEN and locks when `DATABASE_URL` passes through a transaction pooler. Default: `DATABASE_URL`.',
    }),
  ),
  DATABASE_POOL_SIZE: Type.Integer({
    default: 10,
    minimum: 4,
    maximum: 200,
    description:
      'Connections of this process to PostgreSQL, one more beside them for notifications and locks. Background jobs use at most half.',
  }),
  MASTER_KEY: Type.Optional(
    Type.String({
      description:
        '32 random bytes in base64url or hex; encrypts signing keys and second factors and keys the password hashes. Required with `DATABASE_URL`; the embedded database makes its own.',
    }),
  ),
  SMTP_URL: Type.Optional(
    Type.String({
      description:
        'Mail server (`smtp://user:password@host:587`). Absent: mail is kept for `/dev/mail`, and the service starts on loopback only.',
    }),
  ),
  MAIL_FROM: Type.String({
    default: 'Edge Account <no-reply@localhost>',
    description: 'Sender of the mails.',
  }),
  AUTHORIZATION_PAGE_URL: Type.String({
    default: '',
    description:
      'Sign-in and consent page that `GET /oauth2/authorize` redirects to. Default: the page that the service itself serves.',
  }),
  TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Comma-separated addresses or CIDR ranges whose forwarded headers are believed.',
  }),
  REWARD_CURRENCY: Type.String({
    default: 'EDGE',
    pattern: '^[A-Z][A-Z0-9]{1,15}$',
    description: 'Currency that rewards are paid in.',
  }),
  OUTGOING_LOOPBACK: Type.Union([Type.Literal('refuse'), Type.Literal('allow')], {
    default: 'refuse',
    description:
      'For development: `allow` lets webhooks and price feeds reach this machine, by plain http as well. Private networks stay refused.',
  }),
  ROLES: Type.String({
    default: 'http,gateway,jobs,chains',
    description:
      'What this process does, comma-separated; also `serve --roles`. `http`: the pages and the API; `gateway`: live connections and beats of devices; `jobs`: background work, mail and webhooks; `chains`: watches networks for deposits. Health and metrics are served by every process. Together, the processes on one database need all four.',
  }),
  LOG_LEVEL: Type.Union(
    [
      Type.Literal('fatal'),
      Type.Literal('error'),
      Type.Literal('warn'),
      Type.Literal('info'),
      Type.Literal('debug'),
      Type.Literal('silent'),
    ],
    {
      default: 'info',
      description: 'Least severe log lines that are written.',
    },
  ),
  LOGIN_TOKEN_TTL: seconds(
    43_200,
    'Lifetime of the access and device tokens of a login.',
    60,
    2_592_000,
  ),
  LOGIN_TICKET_TTL: seconds(300, 'Lifetime of a login ticket.', 30, 3600),
  EMAIL_CODE_TTL: seconds(600, 'Lifetime of an email code.', 60, 600),
  AUTHORIZATION_CODE_TTL: seconds(60, 'Lifetime of an authorization code.', 10, 60),
  REFRESH_TOKEN_TTL: seconds(2_592_000, 'Sliding lifetime of a refresh token.', 3600, 31_536_000),
  REFRESH_TOKEN_MAX_TTL: seconds(
    7_776_000,
    'Absolute lifetime of a family of refresh tokens.',
    3600,
    63_072_000,
  ),
  KEY_ROTATION_INTERVAL: seconds(
    7_776_000,
    'How long a signing key signs before the next takes over.',
    172_800,
  ),
  REAUTHENTICATION_TTL: seconds(
    600,
    'How long a sign-in, or a renewed proof of password and second factor, allows changes to the account.',
    60,
    900,
  ),
  PASSWORD_HASH_MEMORY: Type.Integer({
    default: 65_536,
    minimum: 19_456,
    maximum: 1_048_576,
    description:
      'Memory of one argon2id password hash; as many are made at once as there are cores. Other hashes are renewed at the next sign-in. Unit: KiB.',
  }),
  PASSWORD_HASH_PASSES: Type.Integer({
    default: 3,
    minimum: 2,
    maximum: 16,
    description: 'Passes of argon2id over that memory.',
  }),
  RATE_LIMIT_SCALE: Type.Integer({
    default: 1,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Factor on every rate limit of signing in; for load tests.',
  }),
  HEARTBEAT_INTERVAL: seconds(
    30,
    'Interval at which devices beat; a device unheard of for three intervals is offline.',
    5,
    600,
  ),
  TRAFFIC_REPORT_WINDOW: seconds(
    604_800,
    'Time after its end within which a traffic report is taken.',
    3600,
    7_776_000,
  ),
  DEVICES_PER_USER: count(1000, 'Devices that one person can have.', 100_000),
  DEVICES_PER_ADDRESS: count(
    1000,
    'Devices that can be registered from one network address; of IPv6 a /64 counts as one, here and below.',
    1_000_000,
  ),
  REGISTRATIONS_PER_HOUR: count(
    2000,
    'New devices that one person can register in an hour.',
    1_000_000,
  ),
  CONNECTIONS_PER_USER: count(
    1000,
    'Live connections that one person can hold, on all nodes together.',
    1_000_000,
  ),
  CONNECTIONS_PER_ADDRESS: count(
    1000,
    'Live connections from one network address, to all nodes together.',
    1_000_000,
  ),
  CONNECTS_PER_SECOND: count(
    20,
    'Live connections that one network address may open at one process in a second, on average over ten.',
    1_000_000,
  ),
  MESSAGES_PER_SECOND: count(
    5,
    'Messages that a device may send in a second, on average over a heartbeat interval: over its live connection, or as beats over HTTP to one process.',
    1_000_000,
  ),
  REWARD_GRACE: seconds(
    600,
    'Time after its end for which an hour waits for usage before it is settled.',
    120,
    86_400,
  ),
  EXPORT_CAP: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Rows that an export of community members holds at most.',
  }),
});

type Environment = Static<typeof ConfigSchema>;

const ROLES = ['http', 'gateway', 'jobs', 'chains'] as const;
export type Role = (typeof ROLES)[number];

export interface Config extends Environment {
  readonly roles: ReadonlySet<Role>;
  readonly trustedProxies: readonly string[];
  readonly isLoopback: boolean;
}

/** Thrown when the environment is wrong; `problems` names every variable and what is wrong with it. */
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

/** What is wrong with a variable's text, if anything. */
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

/** Variables whose name says that 64 hex digits in them are a key of a chain. */
const KEY_NAME =
  /(?:^|_)(?:PRIVATE_?KEYS?|PRIV_?KEYS?|XPRV|MNEMONIC|SEED|WIF|SIGNERS?|(?:WALLET|SIGNER|SIGNING|DEPLOYER|SWEEP(?:ER)?|ETH(?:EREUM)?|EVM|BTC|BITCOIN|LTC|LITECOIN)_?(?:KEY|SECRET|PK))(?:_|$)/i;

/**
 * Looks for the means to spend in everything that the process was given, the variables of other programs included. The
 * text is never repeated.
 */
function refusePrivateKeys(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): Set<string> {
  const refused = new Set<string>();
  for (const [name, text] of Object.entries(env)) {
    const kind =
      text === undefined ? undefined : findPrivateKey(text, { bareHex: KEY_NAME.test(name) });
    if (kind === undefined) continue;
    refused.add(name);
    problems.push(
      `${name} holds ${kind}: remove it, the service only watches chains and must not be given the means to spend`,
    );
  }
  return refused;
}

/** Reads one variable. A wrong one is noted and replaced by its default, so that the other mistakes are found too. */
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

/** True when a URL's host can be reached from this machine only. */
export function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && LOOPBACK_HOSTS.has(new URL(url).hostname);
}

function checkUrl(
  name: string,
  text: string | undefined,
  protocols: readonly string[],
  problems: string[],
): void {
  if (text === undefined || text === '') return;
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    problems.push(
      `${name} must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
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
      'ROLES needs DATABASE_URL: the embedded database has one process, which does everything',
    );
  return roles;
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
      'BASE_URL must be only scheme, host and port, in lower case: no user, path, query or fragment',
    );
  }
  if (config.BASE_URL.endsWith('/'))
    problems.push(
      'BASE_URL must not end with a slash: it is compared as a string by OpenID Connect clients',
    );
  checkUrl('DATABASE_URL', config.DATABASE_URL, ['postgres:', 'postgresql:'], problems);
  checkUrl(
    'DATABASE_DIRECT_URL',
    config.DATABASE_DIRECT_URL,
    ['postgres:', 'postgresql:'],
    problems,
  );
  checkUrl('SMTP_URL', config.SMTP_URL, ['smtp:', 'smtps:'], problems);
  if (!/^[^<>@\r\n]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/.test(config.MAIL_FROM))
    problems.push('MAIL_FROM must be an address, or a name and <address>');
  checkUrl('AUTHORIZATION_PAGE_URL', config.AUTHORIZATION_PAGE_URL, ['http:', 'https:'], problems);
  if (config.DATABASE_URL && !config.MASTER_KEY)
    problems.push('MASTER_KEY is required with DATABASE_URL: every node needs the same one');
  if (config.MASTER_KEY && decodeMasterKey(config.MASTER_KEY) === undefined)
    problems.push('MASTER_KEY must be 32 bytes in base64url or hex');
  for (const range of trustedProxies) {
    if (!isProxyRange(range))
      problems.push(
        `TRUSTED_PROXIES holds ${JSON.stringify(range)}, which is no address or CIDR range`,
      );
  }
  const isLoopback = LOOPBACK_HOSTS.has(config.HOST) && isLoopbackUrl(config.BASE_URL);
  if (!config.SMTP_URL && !isLoopback)
    problems.push(
      'SMTP_URL is required unless HOST and BASE_URL are loopback: people could not receive their codes',
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
