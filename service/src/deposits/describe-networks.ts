/** Networks for operators: configuration without its secrets, tokens, and where the watcher stands. */
import Type, { type Static } from 'typebox';
import type { Db } from '../db/index.ts';
import {
  besideSentence,
  Decimal,
  SayingCode,
  SayingValues,
  Timestamp,
  Words,
} from '../http/index.ts';
import { listCurrencies } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import type { MasterKey } from '../master-key.ts';
import { CHAIN_NOTES, HALT_REASONS } from './chain-reasons.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import { openUrls } from './encrypted-urls.ts';
import { listNetworks, listTokens, type Network, type Token } from './networks.ts';
import { redactUrl } from './validate-chain-config.ts';

const TokenReport = Type.Object({
  currency: Type.String(),
  contract_address: Type.Optional(Type.String()),
  decimals: Type.Integer(),
  min_deposit: Decimal('Smallest amount that is credited.'),
  is_enabled: Type.Boolean(),
  distrust_reason: Type.Optional(Type.String({ description: 'Why its deposits are held.' })),
  distrust_reason_code: SayingCode('distrust_reason', Object.keys(DEPOSIT_REASONS.texts)),
  distrust_reason_values: SayingValues('distrust_reason'),
});

const EndpointReport = Type.Object({
  url: Type.String({ description: 'Without path, query and password.' }),
  is_healthy: Type.Optional(Type.Boolean()),
  head_height: Type.Optional(Type.Integer()),
  failures: Type.Optional(Type.Integer({ description: 'Failures since it last answered.' })),
  last_error: Type.Optional(Type.String({ description: 'How it failed last.' })),
  last_error_code: SayingCode('last_error', Object.keys(NODE_ERRORS.texts)),
  last_error_values: SayingValues('last_error'),
});
export type EndpointReport = Static<typeof EndpointReport>;

export const CHAIN_STATES = [
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
    kind: Words(['evm', 'utxo'], 'Kind of chain.'),
    chain_id: Type.Optional(Type.Integer()),
    is_enabled: Type.Boolean(),
    xpub: Type.Optional(Type.String({ description: 'The public key that derives addresses.' })),
    required_confirmations: Type.Integer(),
    uses_finalized: Type.Boolean(),
    reorg_window: Type.Integer(),
    poll_ms: Type.Integer(),
    tokens: Type.Array(TokenReport),
    endpoints: Type.Array(EndpointReport),
    state: Words(
      CHAIN_STATES,
      'Where the watcher stands; `stalled`: nobody has looked for a while, no node can be used, or all are far behind what was read.',
    ),
    cursor_height: Type.Optional(Type.Integer({ description: 'Last block that was read.' })),
    cursor_hash: Type.Optional(Type.String()),
    head_height: Type.Optional(Type.Integer({ description: 'Head of the chain when last seen.' })),
    finalized_height: Type.Optional(Type.Integer()),
    lag: Type.Optional(
      Type.Integer({
        description:
          'Blocks between cursor and head; also when the nodes are behind what was read.',
      }),
    ),
    halted_at: Type.Optional(Timestamp('Since when it is halted.')),
    halted_reason: Type.Optional(Type.String({ description: 'Why, and what to do.' })),
    halted_reason_code: SayingCode('halted_reason', Object.keys(HALT_REASONS.texts)),
    halted_reason_values: SayingValues('halted_reason'),
    note: Type.Optional(Type.String({ description: 'What keeps it waiting.' })),
    note_code: SayingCode('note', Object.keys(CHAIN_NOTES.texts)),
    note_values: SayingValues('note'),
    checked_at: Type.Optional(Timestamp('When the chain was last looked at.')),
    answered_at: Type.Optional(
      Timestamp('When a node last told of its head; before `checked_at` while none answers.'),
    ),
  },
  { description: 'A network.' },
);
export type NetworkReport = Static<typeof NetworkReport>;

interface StateRow {
  network: string;
  cursor_height: number | null;
  cursor_hash: string | null;
  halted_at: Date | null;
  halted_reason: string | null;
  head_height: number | null;
  finalized_height: number | null;
  note: string | null;
  endpoints: EndpointReport[];
  checked_at: Date | null;
  answered_at: Date | null;
}

/** A watcher this far behind is catching up, not following. */
const FOLLOWING_LAG_MAX = 3;
/** Nobody has looked for so long: no process watches, or it hangs. */
const STALLED_AFTER_MS = 60_000;
const STALLED_AFTER_POLLS = 10;

function isStalled(network: Network, state: StateRow, now: Date): boolean {
  const unseen_ms = state.checked_at ? now.getTime() - state.checked_at.getTime() : 0;
  return unseen_ms > Math.max(STALLED_AFTER_MS, STALLED_AFTER_POLLS * network.poll_ms);
}

/** No node that can be used, or nodes far behind what was read: nothing will happen before somebody looks after them. */
function isStuck({ head_height: head, cursor_height: cursor, note, endpoints }: StateRow): boolean {
  if (head !== null && cursor !== null && cursor - head > FOLLOWING_LAG_MAX) return true;
  return note !== null && endpoints.length > 0 && endpoints.every(({ is_healthy }) => !is_healthy);
}

function stateOf(
  network: Network,
  state: StateRow,
  lag: number | undefined,
  now: Date,
): NetworkReport['state'] {
  if (state.halted_at) return 'halted';
  if (network.rpcUrlsSealed === undefined || network.walletId === undefined) return 'unconfigured';
  if (!network.isEnabled) return 'disabled';
  if (isStalled(network, state, now) || isStuck(state)) return 'stalled';
  if (lag === undefined) return 'starting';
  return lag > FOLLOWING_LAG_MAX ? 'catching_up' : 'following';
}

function toTokenReport(
  token: Token,
  scales: ReadonlyMap<string, number>,
): Static<typeof TokenReport> {
  const scale = scales.get(token.currency);
  return {
    currency: token.currency,
    ...(token.contract !== undefined && { contract_address: token.contract }),
    decimals: token.decimals,
    min_deposit: scale === undefined ? exactAmount(0n, 0) : exactAmount(token.minDeposit, scale),
    is_enabled: token.isEnabled,
    ...(token.distrustReason !== undefined && {
      distrust_reason: token.distrustReason,
      ...besideSentence('distrust_reason', DEPOSIT_REASONS.read(token.distrustReason)),
    }),
  };
}

function endpointsOf(network: Network, state: StateRow, masterKey: MasterKey): EndpointReport[] {
  if (network.rpcUrlsSealed === undefined) return [];
  const urls = openUrls(masterKey, network.rpcUrlsSealed).map(redactUrl);
  return urls.map((url, at) => {
    const seen = state.endpoints[at];
    if (seen?.url !== url) return { url };
    return {
      ...seen,
      ...besideSentence(
        'last_error',
        seen.last_error === undefined ? undefined : NODE_ERRORS.read(seen.last_error),
      ),
    };
  });
}

function toReport(
  network: Network,
  state: StateRow,
  tokens: Static<typeof TokenReport>[],
  endpoints: EndpointReport[],
  now: Date,
): NetworkReport {
  const hasLag = state.head_height !== null && state.cursor_height !== null;
  const lag = hasLag ? Math.abs((state.head_height ?? 0) - (state.cursor_height ?? 0)) : undefined;
  return {
    network: network.code,
    name: network.name,
    kind: network.kind,
    ...(network.chainId !== undefined && { chain_id: network.chainId }),
    is_enabled: network.isEnabled,
    ...(network.xpub !== undefined && { xpub: network.xpub }),
    required_confirmations: network.requiredConfirmations,
    uses_finalized: network.usesFinalized,
    reorg_window: network.reorgWindow,
    poll_ms: network.poll_ms,
    tokens,
    endpoints,
    state: stateOf(network, state, lag, now),
    ...(state.cursor_height !== null && { cursor_height: state.cursor_height }),
    ...(state.cursor_hash !== null && { cursor_hash: state.cursor_hash }),
    ...(state.head_height !== null && { head_height: state.head_height }),
    ...(state.finalized_height !== null && { finalized_height: state.finalized_height }),
    ...(lag !== undefined && { lag }),
    ...(state.halted_at && { halted_at: state.halted_at.toISOString() }),
    ...(state.halted_reason !== null && {
      halted_reason: state.halted_reason,
      ...besideSentence('halted_reason', HALT_REASONS.read(state.halted_reason)),
    }),
    ...(state.note !== null && {
      note: state.note,
      ...besideSentence('note', CHAIN_NOTES.read(state.note)),
    }),
    ...(state.checked_at && { checked_at: state.checked_at.toISOString() }),
    ...(state.answered_at && { answered_at: state.answered_at.toISOString() }),
  };
}

/** Whether nobody sees at present what is sent on a network. */
export async function isUnwatched(db: Db, network: Network, now: Date): Promise<boolean> {
  const { rows } = await db.prepared<StateRow>(
    'chain-state',
    'select * from chain_state where network = $1',
    [network.code],
  );
  return (
    rows[0] !== undefined &&
    ['stalled', 'halted'].includes(stateOf(network, rows[0], undefined, now))
  );
}

/** Codes of networks that are stalled. */
export async function listStalled(db: Db, now: Date): Promise<Set<string>> {
  const { rows } = await db.query<StateRow>('select * from chain_state');
  const states = new Map(rows.map((row) => [row.network, row]));
  const stalled = (await listNetworks(db)).filter((network) => {
    const state = states.get(network.code);
    return state !== undefined && stateOf(network, state, undefined, now) === 'stalled';
  });
  return new Set(stalled.map(({ code }) => code));
}

/** Reports all networks, or one. */
export async function describeNetworks(
  db: Db,
  clock: Clock,
  masterKey: MasterKey,
  code?: string,
): Promise<NetworkReport[]> {
  const scales = new Map(
    (await listCurrencies(db)).map((currency) => [currency.code, currency.scale]),
  );
  const { rows } = await db.query<StateRow>(
    'select * from chain_state where $1::text is null or network = $1',
    [code ?? null],
  );
  const states = new Map(rows.map((row) => [row.network, row]));
  const reports: NetworkReport[] = [];
  for (const network of await listNetworks(db)) {
    const state = states.get(network.code);
    if (!state) continue;
    const tokens = (await listTokens(db, network.code)).map((token) =>
      toTokenReport(token, scales),
    );
    reports.push(
      toReport(network, state, tokens, endpointsOf(network, state, masterKey), clock.now()),
    );
  }
  return reports;
}
