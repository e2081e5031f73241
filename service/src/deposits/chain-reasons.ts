/** Why a network is halted or waits. */
import { createMessages } from '../lib/coded-messages.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';

const ADVICE = 'Check the chain and the RPC endpoints, then resume from a block that is certain.';

export const HALT_REASONS = createMessages({
  reorganisation_too_deep: `A reorganisation is deeper than the {blocks} blocks stored. ${ADVICE}`,
  first_block_replaced:
    'The first block that was read is no longer part of the chain, and none before it is stored. ' +
    ADVICE,
});

export const WAIT_REASONS = createMessages({
  block_awaited: 'waiting for block {height}',
  endpoints_disagree: 'RPC endpoints disagree about block {height}',
  one_endpoint_has_it: 'only one RPC endpoint has block {height} yet',
  one_endpoint_differs: 'only one RPC endpoint has another block {height} than was read',
  read_otherwise: 'stored block {height} differs from the block of the RPC endpoint',
  block_not_shown: 'the RPC endpoint does not show block {height}',
  endpoint_behind: 'the RPC endpoint is behind: it has {head} blocks, {read} were read',
  endpoint_changed_its_mind: 'the RPC endpoint answered differently before',
  no_finalized_tag:
    'the RPC endpoint does not know the tag "finalized": if the chain has none, disable it',
  another_watcher: 'another watcher moved the cursor',
});

/** What keeps a network waiting: these reasons, or the failures of its endpoints. */
export const CHAIN_NOTES = createMessages({ ...WAIT_REASONS.texts, ...NODE_ERRORS.texts });
