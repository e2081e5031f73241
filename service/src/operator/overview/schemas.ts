/** What `GET /operator/overview` answers. */
import Type, { type Static } from 'typebox';
import { Decimal, StringEnum, Timestamp } from '../../http/index.ts';

/** What Prometheus cannot see: the command `verify` records its result in the audit log. */
export const OWN_ALERTS = ['EdgeAccountBooksDiffer', 'EdgeAccountBooksUnverified'] as const;

/**
 * The others are as in `deploy/prometheus/alerts.yml`: docs/runbooks.md has a section for each.
 * Left out is what concerns one instance, and not what the instances share.
 */
export const ALERTS = [
  'EdgeAccountCodesLate',
  'EdgeAccountSettlementLate',
  'EdgeAccountSettlementFailed',
  'EdgeAccountWebhooksLate',
  'EdgeAccountPushesLate',
  'EdgeAccountCommunityQueue',
  'EdgeAccountRetentionLate',
  'EdgeAccountChainHalted',
  'EdgeAccountChainStalled',
  'EdgeAccountPayoutMismatch',
  'EdgeAccountHotWalletSmall',
  'EdgeAccountPayoutsLate',
  ...OWN_ALERTS,
] as const;
export type AlertName = (typeof ALERTS)[number];

export const QUEUES = [
  'mail_codes',
  'mail_without_code',
  'webhooks',
  'pushes',
  'community',
] as const;

const Alert = Type.Object(
  {
    alert: StringEnum(ALERTS, 'Name of the alert; docs/runbooks.md says what to do.'),
    network: Type.Optional(Type.String({ description: 'The network that the alert is about.' })),
  },
  { description: 'A limit that is exceeded now.' },
);
export type Alert = Static<typeof Alert>;

const Amount = Type.Object({
  currency: Type.String({ description: 'Currency code.' }),
  amount: Decimal('Paid in minus taken back; negative when more was taken back.'),
});

const DayFigures = Type.Object({
  date: Type.String({ description: 'Day in UTC, `yyyy-MM-dd`.' }),
  joined: Type.Integer({ minimum: 0, description: 'People who joined.' }),
  rewards: Type.Array(Amount, { description: 'Rewards that were recorded, by currency.' }),
  deposits: Type.Array(Amount, { description: 'Deposits that were credited, by currency.' }),
});
export type DayFigures = Static<typeof DayFigures>;

const Queue = Type.Object({
  queue: StringEnum(QUEUES, 'What waits.'),
  waiting: Type.Integer({
    minimum: 0,
    description:
      'Entries that wait. Counted up to 10,000, which then means that as many or more wait; ' +
      'pushes to 10,000 of those that failed before and of the others, the community to 20,000.',
  }),
  oldest_s: Type.Optional(
    Type.Number({ minimum: 0, description: 'Age of the oldest in seconds; absent: not measured.' }),
  ),
});
export type Queue = Static<typeof Queue>;

const NetworkState = Type.Object({
  network: Type.String({ description: 'Network code.' }),
  state: StringEnum(
    ['unconfigured', 'disabled', 'starting', 'catching_up', 'following', 'stalled', 'halted'],
    'State of its watcher.',
  ),
  lag_blocks: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Blocks that are not read yet.' }),
  ),
});
export type NetworkState = Static<typeof NetworkState>;

const WaitingPayouts = Type.Object({
  reason: Type.String({ description: 'Reason code, as in `GET /operator/payouts`.' }),
  count: Type.Integer({ minimum: 1, description: 'Payouts that wait for this reason.' }),
  oldest_at: Timestamp('Since when the first of them waits.'),
});

const Verification = Type.Object(
  {
    at: Timestamp('When its result was recorded.'),
    since: Type.Optional(
      Timestamp(
        'The signed head from which on it read. Absent: it read from the first posting on.',
      ),
    ),
    parts: Type.Array(Type.String(), {
      description: 'What it looked at, for example `ledger`, `rewards`, `payouts` or `wallets`.',
    }),
    findings: Type.Integer({
      minimum: 0,
      description: 'How much did not agree; 0: everything did.',
    }),
  },
  {
    description:
      'The last `edge-account verify --record`. Absent: none was recorded. The command prints ' +
      'what did not agree.',
  },
);

export const Overview = Type.Object(
  {
    measured_at: Timestamp('When the figures were read; they are at most 15 seconds old.'),
    people: Type.Integer({
      minimum: 0,
      description: 'People who ever joined, closed accounts included.',
    }),
    connected_devices: Type.Integer({
      minimum: 0,
      description: 'Devices with a live connection now, over all instances.',
    }),
    days: Type.Array(DayFigures, {
      description: 'The last 30 days in UTC, oldest first; the last one is not over yet.',
    }),
    payouts_waiting: Type.Array(WaitingPayouts, { description: 'Payouts that have not ended.' }),
    deposits_on_hold: Type.Integer({
      minimum: 0,
      description: 'Deposits that an operator releases or rejects; counted up to 10,000.',
    }),
    held_referees: Type.Integer({
      minimum: 0,
      description: 'Referees whose rewards for others wait for an operator.',
    }),
    networks: Type.Array(NetworkState, { description: 'Networks with deposits.' }),
    queues: Type.Array(Queue, {
      description: 'Those of mails are absent where mails go to the mailbox of development.',
    }),
    settlement_lag_s: Type.Number({
      minimum: 0,
      description: 'Seconds for which the next hour of rewards has been due.',
    }),
    last_signed_head: Type.Optional(
      Type.String({ description: 'Day of the newest signed head of the ledger, `yyyy-MM-dd`.' }),
    ),
    last_verification: Type.Optional(Verification),
    alerts: Type.Array(Alert, { description: 'Limits that are exceeded now; empty: none.' }),
  },
  { $id: 'NetworkOverview', description: 'Figures of the whole network.' },
);
export type Overview = Static<typeof Overview>;
