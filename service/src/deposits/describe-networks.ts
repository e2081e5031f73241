/** Where each watcher stands, for operators and metrics. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import { messageFields } from '../http/index.ts';
import { listCurrencies } from '../ledger/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type CodedMessage, fromColumns } from '../lib/coded-messages.ts';
import { exactAmount } from '../lib/exact-json.ts';
import type { MasterKey } from '../master-key.ts';
import { CHAIN_NOTES, HALT_REASONS } from './chain-reasons.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import { decryptUrls } from './encrypted-urls.ts';
import type { EndpointReport, NetworkReport, TokenReport } from './network-report.ts';
import { listNetworks, listTokens, type Network, type Token } from './networks.ts';
import { redactUrl } from './validate-chain-config.ts';

/** An endpoint as the watcher stores it. */
export type StoredEndpoint = Omit<EndpointReport, 'last_error'> & {
  readonly last_error?: CodedMessage;
};

interface StateRow {
  network: string;
  cursor_height: number | null;
  cursor_hash: string | null;
  halted_at: Date | null;
  halted_reason_code: string | null;
  halted_reason_values: CodedMessage['values'] | null;
  head_height: number | null;
  finalized_height: number | null;
  note_code: string | null;
  note_values: CodedMessage['values'] | null;
  endpoints: StoredEndpoint[];
  checked_at: Date | null;
  answered_at: Date | null;
}

/** What the state of a network follows from. */
export type WatcherRow = Pick<
  StateRow,
  'cursor_height' | 'head_height' | 'halted_at' | 'note_code' | 'endpoints' | 'checked_at'
>;

/** A watcher this far behind is catching up, not following. */
const FOLLOWING_LAG_MAX = 3;
/** Without a poll for this long no process watches the network, or its watcher hangs. */
const STALLED_AFTER_MS = 60_000;
const STALLED_AFTER_POLLS = 10;

/**
 * True without a recent poll, without a usable endpoint, or when all endpoints are far behind the
 * cursor: nothing will happen before an operator acts.
 */
function isStalled(network: Network, state: WatcherRow, now: Date): boolean {
  const { checked_at, head_height: head, cursor_height: cursor, note_code, endpoints } = state;
  const unseen_ms = checked_at ? now.getTime() - checked_at.getTime() : 0;
  if (unseen_ms > Math.max(STALLED_AFTER_MS, STALLED_AFTER_POLLS * network.poll_ms)) return true;
  if (head !== null && cursor !== null && cursor - head > FOLLOWING_LAG_MAX) return true;
  const isDown = endpoints.length > 0 && endpoints.every(({ is_healthy }) => !is_healthy);
  return note_code !== null && isDown;
}

export interface NetworkStatus {
  readonly network: Network;
  readonly row: StateRow;
  readonly state: NetworkReport['state'];
  /** Blocks between the cursor and the head, also when the endpoints are behind. */
  readonly lag: number | undefined;
}

function toLag({ head_height: head, cursor_height: cursor }: WatcherRow): number | undefined {
  return head === null || cursor === null ? undefined : Math.abs(head - cursor);
}

function toState(network: Network, row: WatcherRow, now: Date): NetworkReport['state'] {
  if (row.halted_at) return 'halted';
  if (network.rpcUrlsSealed === undefined || network.walletId === undefined) return 'unconfigured';
  if (!network.isEnabled) return 'disabled';
  if (isStalled(network, row, now)) return 'stalled';
  const lag = toLag(row);
  if (lag === undefined) return 'starting';
  return lag > FOLLOWING_LAG_MAX ? 'catching_up' : 'following';
}

function toStatus(network: Network, row: StateRow, now: Date): NetworkStatus {
  return { network, row, lag: toLag(row), state: toState(network, row, now) };
}

const LIST_STATES = defineStatement('chain_states', 'select * from chain_state');

/** The status of every network, ordered by code. */
export async function listStatuses(db: Db, clock: Clock): Promise<NetworkStatus[]> {
  const { rows } = await execute<StateRow>(db, LIST_STATES, {});
  const states = new Map(rows.map((row) => [row.network, row]));
  return (await listNetworks(db)).flatMap((network) => {
    const row = states.get(network.code);
    return row ? [toStatus(network, row, clock.now())] : [];
  });
}

/** Whether deposits on a network are not seen at present. */
export function isUnwatched(network: Network, row: WatcherRow, now: Date): boolean {
  return ['stalled', 'halted'].includes(toState(network, row, now));
}

function toTokenReport(token: Token, scale: number | undefined): TokenReport {
  const { contract, distrustReason } = token;
  return {
    currency: token.currency,
    ...(contract !== undefined && { contract_address: contract }),
    decimals: token.decimals,
    min_deposit: scale === undefined ? exactAmount(0n, 0) : exactAmount(token.minDeposit, scale),
    is_enabled: token.isEnabled,
    ...(distrustReason && messageFields('distrust_reason', DEPOSIT_REASONS, distrustReason)),
  };
}

function listEndpoints({ network, row }: NetworkStatus, masterKey: MasterKey): EndpointReport[] {
  if (network.rpcUrlsSealed === undefined) return [];
  return decryptUrls(masterKey, network.rpcUrlsSealed).map((secretUrl, at) => {
    const url = redactUrl(secretUrl);
    const seen = row.endpoints[at];
    if (seen?.url !== url) return { url };
    const { last_error: error, ...health } = seen;
    return { ...health, ...(error && messageFields('last_error', NODE_ERRORS, error)) };
  });
}

function toReport(
  { network, row, state, lag }: NetworkStatus,
  tokens: TokenReport[],
  endpoints: EndpointReport[],
): NetworkReport {
  const halted = fromColumns(row.halted_reason_code, row.halted_reason_values);
  const note = fromColumns(row.note_code, row.note_values);
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
    block_ms: network.block_ms,
    poll_ms: network.poll_ms,
    ...(network.coin !== undefined && { coin: network.coin }),
    ...(network.explorerUrl !== undefined && { explorer_url: network.explorerUrl }),
    ...(network.startHeight !== undefined && { start_height: network.startHeight }),
    tokens,
    endpoints,
    state,
    ...(row.cursor_height !== null && { cursor_height: row.cursor_height }),
    ...(row.cursor_hash !== null && { cursor_hash: row.cursor_hash }),
    ...(row.head_height !== null && { head_height: row.head_height }),
    ...(row.finalized_height !== null && { finalized_height: row.finalized_height }),
    ...(lag !== undefined && { lag }),
    ...(row.halted_at && { halted_at: row.halted_at.toISOString() }),
    ...(halted && messageFields('halted_reason', HALT_REASONS, halted)),
    ...(note && messageFields('note', CHAIN_NOTES, note)),
    ...(row.checked_at && { checked_at: row.checked_at.toISOString() }),
    ...(row.answered_at && { answered_at: row.answered_at.toISOString() }),
  };
}

/** Reports all networks, or one. */
export async function describeNetworks(
  db: Db,
  clock: Clock,
  masterKey: MasterKey,
  code?: string,
): Promise<NetworkReport[]> {
  const scales = new Map((await listCurrencies(db)).map((known) => [known.code, known.scale]));
  const reports: NetworkReport[] = [];
  for (const status of await listStatuses(db, clock)) {
    if (code !== undefined && status.network.code !== code) continue;
    const tokens = await listTokens(db, status.network.code);
    const tokenReports = tokens.map((token) => toTokenReport(token, scales.get(token.currency)));
    reports.push(toReport(status, tokenReports, listEndpoints(status, masterKey)));
  }
  return reports;
}
