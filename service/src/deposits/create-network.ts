/** Creates a network that is not built in, from the facts of its chain. */
import { defineStatement, execute, type Transaction } from '../db/index.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { findNetwork, type Network } from './networks.ts';

/** Facts of a chain. Only the coin can be corrected later. */
export interface NetworkIdentity {
  readonly kind?: Network['kind'] | undefined;
  readonly name?: string | undefined;
  readonly chainId?: number | undefined;
  readonly addressPrefix?: string | undefined;
  readonly uriScheme?: string | undefined;
  readonly coin?: string | undefined;
}

const NETWORK_CODE = /^[A-Z][A-Z0-9_]{1,31}$/;
const DEFAULT_CONFIRMATIONS = 30;
const DEFAULT_WINDOW = 512;
const EVM_BLOCK_MS = 12_000;
const UTXO_BLOCK_MS = 600_000;
const DEFAULT_POLL_MS = 3000;

const INSERT_NETWORK = defineStatement(
  'network_insert',
  `with added as (
     insert into network (code, name, kind, family, chain_id, address_prefix, uri_scheme, coin,
       required_confirmations, uses_finalized, reorg_window, block_ms, poll_ms)
     values (:code, :name, :kind, :family, :chain_id, :address_prefix, :uri_scheme, :coin,
       ${DEFAULT_CONFIRMATIONS}, :uses_finalized, ${DEFAULT_WINDOW}, :block_ms,
       ${DEFAULT_POLL_MS})
     on conflict do nothing returning code)
   insert into chain_state (network) select code from added on conflict do nothing`,
);

/** The facts decide which chain and which addresses are meant. @throws `invalid_parameter` */
function checkIdentity(
  code: string,
  { kind, chainId, addressPrefix = '', uriScheme = '' }: NetworkIdentity,
): void {
  const isUtxo = kind === 'utxo';
  const required: readonly [field: string, isMissing: boolean, message: string][] = [
    ['kind', kind === undefined, `: ${code} is not known by name, say what chain it is`],
    ['chain_id', kind === 'evm' && chainId === undefined, ' for an EVM network'],
    [
      'address_prefix',
      isUtxo && !/^[a-z]{2,10}$/.test(addressPrefix),
      ' for a UTXO network: the first part of its bech32 addresses, for example bc',
    ],
    [
      'uri_scheme',
      isUtxo && !/^[a-z]{2,20}$/.test(uriScheme),
      ' for a UTXO network, for example bitcoin',
    ],
  ];
  for (const [field, isMissing, message] of required)
    if (isMissing) throw fieldError(field, 'required', `is required${message}`);
  if (!NETWORK_CODE.test(code))
    throw fieldError(
      'network',
      'malformed',
      'must be 2 to 32 capital letters, digits and underscores',
    );
}

/** @throws `invalid_parameter`, `chain_id_taken` */
export async function createNetwork(
  tx: Transaction,
  code: string,
  identity: NetworkIdentity = {},
): Promise<Network> {
  checkIdentity(code, identity);
  const { name = code, kind, chainId, addressPrefix, uriScheme, coin } = identity;
  const isEvm = kind === 'evm';
  await execute(tx, INSERT_NETWORK, {
    code,
    name,
    kind,
    family: isEvm ? 'evm' : `${uriScheme}-${addressPrefix}`,
    chain_id: isEvm ? chainId : null,
    address_prefix: isEvm ? null : addressPrefix,
    uri_scheme: isEvm ? 'ethereum' : uriScheme,
    coin: coin ?? null,
    uses_finalized: isEvm,
    block_ms: isEvm ? EVM_BLOCK_MS : UTXO_BLOCK_MS,
  });
  const network = await findNetwork(tx, code);
  if (network) return network;
  throw failure('chain_id_taken', { detail: `Another network has the chain id ${chainId}.` });
}
