/** Shapes of the reports about networks. */
import Type, { type Static } from 'typebox';
import { Decimal, MessageCode, MessageValues, StringEnum, Timestamp } from '../http/index.ts';
import { CHAIN_NOTES, HALT_REASONS } from './chain-reasons.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';

const TokenReport = Type.Object({
  currency: Type.String(),
  contract_address: Type.Optional(Type.String()),
  decimals: Type.Integer(),
  min_deposit: Decimal('Smallest amount that is credited.'),
  is_enabled: Type.Boolean(),
  distrust_reason: Type.Optional(Type.String({ description: 'Why its deposits are held.' })),
  distrust_reason_code: MessageCode('distrust_reason', Object.keys(DEPOSIT_REASONS.texts)),
  distrust_reason_values: MessageValues('distrust_reason'),
});

export type TokenReport = Static<typeof TokenReport>;

const EndpointReport = Type.Object({
  url: Type.String({ description: 'Without path, query and password.' }),
  is_healthy: Type.Optional(Type.Boolean()),
  head_height: Type.Optional(Type.Integer()),
  failures: Type.Optional(Type.Integer({ description: 'Failures since it last answered.' })),
  last_error: Type.Optional(Type.String({ description: 'How it failed last.' })),
  last_error_code: MessageCode('last_error', Object.keys(NODE_ERRORS.texts)),
  last_error_values: MessageValues('last_error'),
});
export type EndpointReport = Static<typeof EndpointReport>;

const CHAIN_STATES = [
  'unconfigured',
  'disabled',
  'starting',
  'following',
  'catching_up',
  'stalled',
  'halted',
] as const;

export const NetworkReport = Type.Object(
  {
    network: Type.String(),
    name: Type.String(),
    kind: StringEnum(['evm', 'utxo'], 'Kind of chain.'),
    chain_id: Type.Optional(Type.Integer()),
    is_enabled: Type.Boolean(),
    xpub: Type.Optional(Type.String({ description: 'The public key that derives addresses.' })),
    required_confirmations: Type.Integer(),
    uses_finalized: Type.Boolean(),
    reorg_window: Type.Integer(),
    block_ms: Type.Integer({ description: 'Usual time between blocks.' }),
    poll_ms: Type.Integer(),
    coin: Type.Optional(Type.String({ description: "Currency of the chain's own coin." })),
    explorer_url: Type.Optional(
      Type.String({ description: 'Page of a transaction, with `{tx}` for its hash.' }),
    ),
    start_height: Type.Optional(Type.Integer({ description: 'First block to read.' })),
    tokens: Type.Array(TokenReport),
    endpoints: Type.Array(EndpointReport),
    state: StringEnum(
      CHAIN_STATES,
      'State of the watcher; `stalled`: no process has polled the chain for a while, no endpoint ' +
        'can be used, or all are far behind the blocks that were read.',
    ),
    cursor_height: Type.Optional(Type.Integer({ description: 'Last block that was read.' })),
    cursor_hash: Type.Optional(Type.String()),
    head_height: Type.Optional(Type.Integer({ description: 'Head of the chain when last seen.' })),
    finalized_height: Type.Optional(Type.Integer()),
    lag: Type.Optional(
      Type.Integer({
        description: 'Blocks between cursor and head; also when the endpoints are behind.',
      }),
    ),
    halted_at: Type.Optional(Timestamp('Since when it is halted.')),
    halted_reason: Type.Optional(Type.String({ description: 'Why, and what to do.' })),
    halted_reason_code: MessageCode('halted_reason', Object.keys(HALT_REASONS.texts)),
    halted_reason_values: MessageValues('halted_reason'),
    note: Type.Optional(Type.String({ description: 'What keeps it waiting.' })),
    note_code: MessageCode('note', Object.keys(CHAIN_NOTES.texts)),
    note_values: MessageValues('note'),
    checked_at: Type.Optional(Timestamp('Last poll of the chain.')),
    answered_at: Type.Optional(Timestamp('Last poll that an endpoint answered.')),
  },
  { description: 'A network.' },
);
export type NetworkReport = Static<typeof NetworkReport>;
