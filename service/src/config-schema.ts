/** Schema of the environment variables; `docs/configuration.md` is generated from it. */
import Type, { type TInteger } from 'typebox';
import { ABUSE_SETTINGS } from './abuse-settings.ts';
import { DATABASE_SETTINGS } from './database-settings.ts';
import { LEDGER_SETTINGS } from './ledger-settings.ts';
import { PAGE_SETTINGS } from './page-settings.ts';
import { RETENTION_SETTINGS } from './retention-settings.ts';
import { REWARD_SETTINGS } from './reward-settings.ts';

/** No grant lives longer (see REFRESH_TOKEN_MAX_TTL). */
export const LONGEST_GRANT_S = 63_072_000;

function seconds(
  defaultValue: number,
  description: string,
  minimum = 1,
  maximum = 31_536_000,
): TInteger {
  return Type.Integer({
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
      'Public address of the service and issuer of its tokens, without a trailing slash. ' +
      'Default: `http://localhost:PORT`.',
  }),
  DATA_DIR: Type.String({
    default: './data',
    minLength: 1,
    description: 'Folder of the embedded database, the master key and `operator.json`.',
  }),
  ...DATABASE_SETTINGS,
  SIGNED_HEADS_TO: Type.Optional(
    Type.String({
      description:
        'Where the signed head of the ledger is copied to each day: `file:///DIRECTORY` (on ' +
        'another machine’s disk; it must exist), or an https address of the public internet ' +
        'that takes it by POST. Absent: nowhere.',
    }),
  ),
  ...LEDGER_SETTINGS,
  MASTER_KEY: Type.Optional(
    Type.String({
      description:
        '32 random bytes in base64url or hex; encrypts signing keys and second factors and ' +
        'keys the password hashes. Required with `DATABASE_URL`; the embedded database ' +
        'creates its own.',
    }),
  ),
  SMTP_URL: Type.Optional(
    Type.String({
      description:
        'Mail server (`smtp://user:password@host:587`). Absent: mail is kept for `/dev/mail`, ' +
        'and the service starts on loopback only.',
    }),
  ),
  SMTP_FALLBACK_URL: Type.Optional(
    Type.String({
      description: 'Second mail server, used while that of `SMTP_URL` cannot be reached.',
    }),
  ),
  MAIL_FROM: Type.String({
    default: 'Edge Account <no-reply@localhost>',
    description: 'Sender of the mails: an address, or a name and `<address>`.',
  }),
  MAIL_SENDERS: Type.String({
    default: '',
    pattern: '^([^\\s<>@,]+@[^\\s<>@,]+(, ?|$))*$',
    description:
      'Addresses that operators may choose as the sender of mails beside that of `MAIL_FROM`, ' +
      'with commas between.',
  }),
  ...PAGE_SETTINGS,
  TRUSTED_PROXIES: Type.String({
    default: '',
    description: 'Comma-separated addresses or CIDR ranges whose forwarded headers are trusted.',
  }),
  PAYOUT_WALLETS: Type.String({
    default: '',
    description:
      'Hot wallets that the verification with `--chains` compares with the ledger: ' +
      '`NETWORK=ADDRESS`, with commas between.',
  }),
  ...REWARD_SETTINGS,
  ...RETENTION_SETTINGS,
  OUTGOING_LOOPBACK: Type.Union([Type.Literal('refuse'), Type.Literal('allow')], {
    default: 'refuse',
    description:
      'For development: `allow` lets webhooks, price feeds and upstream providers be on this ' +
      'machine, by plain http too. Private networks stay refused.',
  }),
  ROLES: Type.String({
    default: 'http,gateway,jobs,chains',
    description:
      'Roles of this instance, comma-separated; also `serve --roles`. `http`: pages and API; ' +
      '`gateway`: live connections and heartbeats of devices; `jobs`: background jobs, mail ' +
      'and webhooks; `chains`: watches networks for deposits. Every instance serves health ' +
      'and metrics. The instances on one database need all four together.',
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
    'Lifetime of the access and device tokens of a login. Revocations stay in the memory of each ' +
      'instance for as long, 200 bytes each: with 2 million a day, keep it below 8 days.',
    60,
    2_592_000,
  ),
  LOGIN_TICKET_TTL: seconds(300, 'Lifetime of a login or reauthentication ticket.', 30, 3600),
  EMAIL_CODE_TTL: seconds(600, 'Lifetime of an email code.', 60, 600),
  AUTHORIZATION_CODE_TTL: seconds(60, 'Lifetime of an authorization code.', 10, 60),
  REFRESH_TOKEN_TTL: seconds(2_592_000, 'Sliding lifetime of a refresh token.', 3600, 31_536_000),
  REFRESH_TOKEN_MAX_TTL: seconds(
    7_776_000,
    'Absolute life of a token family.',
    3600,
    LONGEST_GRANT_S,
  ),
  KEY_ROTATION_INTERVAL: seconds(
    7_776_000,
    'Time after which a signing key is replaced by the next.',
    172_800,
  ),
  REAUTHENTICATION_TTL: seconds(600, 'How long a login or proof allows changes.', 60, 900),
  CLOSED_ACCOUNT_TTL: seconds(
    2_592_000,
    'How long after closing an account what identifies is erased; at least as long as mails.',
    2_592_000,
    315_360_000,
  ),
  PASSWORD_HASH_MEMORY: Type.Integer({
    default: 65_536,
    minimum: 19_456,
    maximum: 1_048_576,
    description:
      'Memory of one argon2id password hash; one hash per core runs at a time. Hashes of ' +
      'another cost are renewed at the next login. Unit: KiB.',
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
    description: 'Factor on all rate limits of sign-in; for load tests.',
  }),
  ...ABUSE_SETTINGS,
  HEARTBEAT_INTERVAL: seconds(
    30,
    'Interval of heartbeats; a device without one for three intervals is offline.',
    5,
    600,
  ),
  TRAFFIC_REPORT_WINDOW: seconds(
    604_800,
    'Time after its end within which a traffic report is accepted.',
    3600,
    7_776_000,
  ),
  DEVICES_PER_USER: count(1000, 'Devices per user.', 100_000),
  DEVICES_PER_ADDRESS: count(
    1000,
    'Devices registered from one network address, until they are deleted: one that is offline or ' +
      'disconnected can return. A /64 of IPv6 counts as one, here and below.',
    1_000_000,
  ),
  REGISTRATIONS_PER_HOUR: count(2000, 'New devices per user in an hour.', 1_000_000),
  CONNECTIONS_PER_USER: count(
    1000,
    'Live connections per user, on all instances together.',
    1_000_000,
  ),
  CONNECTIONS_PER_ADDRESS: count(
    1000,
    'Live connections from one network address, on all instances together.',
    1_000_000,
  ),
  CONNECTS_PER_SECOND: count(
    20,
    'New live connections from one network address to one instance per second, on average ' +
      'over ten.',
    1_000_000,
  ),
  MESSAGES_PER_SECOND: count(
    5,
    'Messages of a device per second, on average over a heartbeat interval: over its live ' +
      'connection, or as heartbeats over HTTP to one instance.',
    1_000_000,
  ),
  EXPORT_CAP: Type.Integer({
    default: 10_000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Maximum number of rows in an export of community members.',
  }),
});
