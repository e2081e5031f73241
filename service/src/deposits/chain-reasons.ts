/** Why a network is halted, in sentences that have codes. An operator who halts one says it in their own words. */
import { createSentences } from '../lib/sentences.ts';

const WHAT_TO_DO = 'Check the chain and the nodes, then resume from a block that is sure.';

export const HALT_REASONS = createSentences({
  reorganisation_too_deep: `A reorganisation is deeper than the {blocks} blocks remembered. ${WHAT_TO_DO}`,
  first_block_replaced: `The first block that was read is no longer part of the chain, and none before it is remembered. ${WHAT_TO_DO}`,
});
