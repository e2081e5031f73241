/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-chains', {
  putChain: {
    summary: 'Configure a network',
    description:
      'What is left out stays as it is. Networks that are not known by name also need `kind` ' +
      'and its facts, which cannot be changed later; only `coin` can, while nothing was ' +
      'credited as another currency.',
    failures: ['chain_id_taken'],
  },
  putChainToken: {
    summary: 'Configure the token that carries a currency on a network',
    description: 'What is left out stays as it is.',
    failures: ['not_found', 'token_mismatch'],
  },
  listChains: {
    summary: 'Networks, their tokens, and where their watchers stand',
    description:
      "Each configured network: its tokens, its watcher's height and state, and what is wrong.",
  },
  backfillChain: {
    summary: 'Read old blocks again',
    description:
      'Finds deposits that were made before the network was watched or before their address ' +
      'was issued. Nothing is credited twice.',
    failures: ['not_found', 'chain_not_started'],
  },
  resumeChain: {
    summary: 'Resume a halted network from a block',
    description:
      'Deposits above that block are taken back, and credited again where the chain still ' +
      'holds them. The nodes are asked: 409 `block_mismatch` when one has another block there, ' +
      'or none has any, and when a block below it that holds deposits was replaced ' +
      '(`replaced_height`; `sure_height` and `sure_hash` name the highest with deposits that ' +
      'still stands). Blocks below it that may not have been read as they are now are read ' +
      'again.',
    failures: ['not_found', 'chain_not_halted', 'block_mismatch', 'chain_unreachable'],
  },
  haltChain: {
    summary: 'Halt a network',
    description:
      'Nothing is read, credited or reversed until it is resumed. The way back from a block ' +
      'that was believed wrongly: halt, then resume from a lower one. A halted network stays ' +
      'as it is.',
    failures: ['not_found', 'chain_not_started'],
  },
  putCurrency: {
    summary: 'Add a currency',
    description:
      'Harmless when it exists with the same scale; 409 `currency_exists` when it exists with ' +
      'another, because stored amounts count in it.',
    failures: ['currency_exists'],
  },
  listAllDeposits: {
    summary: 'Deposits of all users, newest first',
    description:
      'Deposits of every person and network, those of tokens that are not supported included.',
  },
  holdDeposit: {
    summary: 'Hold a deposit: it is not credited until it is released',
    description: 'For a review; its owner reads the reason. Needs an `Idempotency-Key`.',
    failures: ['deposit_not_open'],
  },
  releaseDeposit: {
    summary: 'Release a deposit: it is credited once it is deep enough',
    description: 'Undoes a hold or a rejection. Needs an `Idempotency-Key`.',
    failures: ['deposit_not_open'],
  },
  rejectDeposit: {
    summary:
      'Reject a deposit: it is not credited, whatever the chain does; only a release undoes it',
    description: 'The money stays on the deposit address. Needs an `Idempotency-Key`.',
    failures: ['deposit_not_open'],
  },
  listUnswept: {
    summary: 'What still lies on the deposit addresses of a network, as the chain says now',
    description:
      'JSON, or CSV with `Accept: text/csv`. The service only watches: move it with the wallet ' +
      'that holds the account key.',
    failures: ['chain_unreachable'],
  },
});
