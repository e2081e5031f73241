/** `edge-account chains …`: where the watchers stand, and their configuration. */
import type { NetworkReport } from '../deposits/index.ts';
import { type Arguments, readArguments } from './arguments.ts';
import { CommandError } from './bootstrap.ts';
import { type OperatorApi, openOperatorApi } from './operator-api.ts';
import { print } from './output.ts';

export const usage = `edge-account chains status [NETWORK]
  where the watchers stand; exit code 3 when a network is halted, 4 when one is stalled
edge-account chains configure NETWORK [--rpc-url URL …] [--xpub XPUB] [--confirmations N]
  [--start-height N] [--window N] [--poll-ms N]
    [--explorer-url URL] [--finalized yes|no] [--enabled yes|no] [--retire-addresses yes|no]
    [--kind evm --chain-id N | --kind utxo --address-prefix PREFIX --uri-scheme SCHEME] [--name
      NAME] [--coin CURRENCY]
  configures a network; the last line is for networks that are not known by name. Private keys are
    refused. With another xpub
  everyone keeps the address they have, unless addresses are retired
edge-account chains token NETWORK CURRENCY --decimals N --min-deposit AMOUNT [--contract ADDRESS]
  [--enabled yes|no]
  says which token carries a currency on a network; without --contract it is the chain's own coin
edge-account chains backfill NETWORK --from HEIGHT
  reads old blocks again, beside following the head
edge-account chains resume NETWORK --height HEIGHT --hash HASH
  resumes a halted network at a block that you have checked; refused while a block below it that
  holds deposits is replaced
edge-account chains halt NETWORK --reason TEXT
  stops it until it is resumed, for example from a lower block than the last time
edge-account chains unswept NETWORK
  prints what still lies on deposit addresses, as CSV`;

const VALUES = [
  'rpc-url',
  'xpub',
  'confirmations',
  'start-height',
  'window',
  'poll-ms',
  'explorer-url',
  'finalized',
  'enabled',
  'kind',
  'chain-id',
  'address-prefix',
  'uri-scheme',
  'name',
  'coin',
  'retire-addresses',
  'decimals',
  'min-deposit',
  'contract',
  'from',
  'height',
  'hash',
  'reason',
];
const HALTED_EXIT = 3;
const STALLED_EXIT = 4;

function wholeNumber(read: Arguments, name: string): number | undefined {
  const text = read.one(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new CommandError(`--${name} must be a whole number, not ${JSON.stringify(text)}`);
  return Number(text);
}

function yesOrNo(read: Arguments, name: string): boolean | undefined {
  const text = read.one(name);
  if (text === undefined) return undefined;
  if (text !== 'yes' && text !== 'no') throw new CommandError(`--${name} must be yes or no`);
  return text === 'yes';
}

function describe(report: NetworkReport): string {
  const {
    network,
    state,
    cursor_height: cursor,
    head_height: head,
    lag,
    note,
    halted_reason: halted,
    answered_at: answered,
    checked_at: checked,
  } = report;
  const where = cursor === undefined ? '' : `block ${cursor} of ${head ?? '?'}, lag ${lag ?? '?'}`;
  const lines = [`${network.padEnd(18)} ${state.padEnd(13)} ${where}`.trimEnd()];
  for (const { url, is_healthy, head_height, last_error } of report.endpoints) {
    const health =
      is_healthy === undefined
        ? 'not asked yet'
        : is_healthy
          ? `answers, head ${head_height ?? '?'}`
          : `fails: ${last_error ?? 'behind'}`;
    lines.push(`  ${url}  ${health}`);
  }
  if (answered !== undefined && answered !== checked) lines.push(`  last answer: ${answered}`);
  if (note !== undefined) lines.push(`  waits: ${note}`);
  if (halted !== undefined) lines.push(`  HALTED: ${halted}`);
  for (const token of report.tokens.filter(({ distrust_reason }) => distrust_reason !== undefined))
    lines.push(`  ${token.currency}: ${token.distrust_reason}`);
  return lines.join('\n');
}

const pathOfNetwork = (network = ''): string => `/operator/chains/${encodeURIComponent(network)}`;

/** Changes a network, and prints what it is now. */
async function changeNetwork(
  api: OperatorApi,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): Promise<void> {
  console.log(describe(JSON.parse(await api.request(method, path, body)) as NetworkReport));
}

async function status(api: OperatorApi, [wanted]: readonly string[]): Promise<void> {
  const reports = JSON.parse(await api.request('GET', '/operator/chains')) as NetworkReport[];
  const shown = reports.filter(({ network }) => wanted === undefined || network === wanted);
  if (shown.length === 0)
    throw new CommandError(
      `there is no network ${wanted}; known: ${reports.map(({ network }) => network).join(', ')}`,
    );
  for (const report of shown) console.log(describe(report));
  if (shown.some(({ state }) => state === 'halted')) process.exitCode = HALTED_EXIT;
  else if (shown.some(({ state }) => state === 'stalled')) process.exitCode = STALLED_EXIT;
}

async function configure(
  api: OperatorApi,
  [network]: readonly string[],
  read: Arguments,
): Promise<void> {
  const urls = read.all('rpc-url');
  const body = {
    rpc_urls: urls.length > 0 ? urls : undefined,
    xpub: read.one('xpub'),
    required_confirmations: wholeNumber(read, 'confirmations'),
    start_height: wholeNumber(read, 'start-height'),
    reorg_window: wholeNumber(read, 'window'),
    poll_ms: wholeNumber(read, 'poll-ms'),
    explorer_url: read.one('explorer-url'),
    uses_finalized: yesOrNo(read, 'finalized'),
    is_enabled: yesOrNo(read, 'enabled'),
    kind: read.one('kind'),
    chain_id: wholeNumber(read, 'chain-id'),
    address_prefix: read.one('address-prefix'),
    uri_scheme: read.one('uri-scheme'),
    name: read.one('name'),
    coin: read.one('coin'),
    retire_addresses: yesOrNo(read, 'retire-addresses'),
  };
  await changeNetwork(api, 'PUT', pathOfNetwork(network), JSON.parse(JSON.stringify(body)));
}

async function configureToken(
  api: OperatorApi,
  [network, currency]: readonly string[],
  read: Arguments,
): Promise<void> {
  const [decimals, minimum] = [wholeNumber(read, 'decimals'), read.one('min-deposit')];
  if (currency === undefined || decimals === undefined || minimum === undefined)
    throw new CommandError(usage);
  const body = {
    decimals,
    min_deposit: minimum,
    contract_address: read.one('contract'),
    is_enabled: yesOrNo(read, 'enabled'),
  };
  await api.request(
    'PUT',
    `${pathOfNetwork(network)}/tokens/${encodeURIComponent(currency)}`,
    JSON.parse(JSON.stringify(body)),
  );
  console.log(`${currency} on ${network} is configured`);
}

async function backfill(
  api: OperatorApi,
  [network]: readonly string[],
  read: Arguments,
): Promise<void> {
  const answer = await api.request('POST', `${pathOfNetwork(network)}/backfill`, {
    from_height: wholeNumber(read, 'from'),
  });
  const { from_height, to_height } = JSON.parse(answer) as Record<string, number>;
  console.log(`blocks ${from_height} to ${to_height} of ${network} will be read again`);
}

async function resume(
  api: OperatorApi,
  [network]: readonly string[],
  read: Arguments,
): Promise<void> {
  const body = { height: wholeNumber(read, 'height'), hash: read.one('hash') };
  await changeNetwork(api, 'POST', `${pathOfNetwork(network)}/resume`, body);
}

async function halt(
  api: OperatorApi,
  [network]: readonly string[],
  read: Arguments,
): Promise<void> {
  const body = { reason: read.one('reason') };
  await changeNetwork(api, 'POST', `${pathOfNetwork(network)}/halt`, body);
}

async function unswept(api: OperatorApi, [network]: readonly string[]): Promise<void> {
  await print([
    await api.request(
      'GET',
      `/operator/deposits/unswept?currencyNetWork=${encodeURIComponent(network ?? '')}`,
      undefined,
      'text/csv',
    ),
  ]);
}

const ACTIONS: Readonly<
  Record<string, (api: OperatorApi, words: readonly string[], read: Arguments) => Promise<void>>
> = {
  status,
  configure,
  token: configureToken,
  backfill,
  resume,
  halt,
  unswept,
};

export async function run(args: string[]): Promise<void> {
  const read = readArguments(args, { values: VALUES });
  const [action = '', ...words] = read.words;
  const act = ACTIONS[action];
  if (!act || (action !== 'status' && words[0] === undefined)) throw new CommandError(usage);
  if (action === 'configure' && VALUES.every((name) => read.one(name) === undefined))
    throw new CommandError(`nothing was said about ${words[0]}\n${usage}`);
  const api = await openOperatorApi();
  try {
    await act(api, words, read);
  } finally {
    await api.close();
  }
}
