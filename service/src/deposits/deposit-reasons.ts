/** Why a deposit has its status. */
import { createMessages } from '../lib/coded-messages.ts';

export const DEPOSIT_REASONS = createMessages({
  below_minimum: 'The smallest deposit is {amount} {currency}.',
  too_many_decimals: 'The amount has more decimals than {currency} can hold.',
  coin_not_supported: 'The coin of this network is not supported on {network}.',
  token_not_supported: 'The token {contract} is not supported on {network}.',
  switched_off: 'Deposits of {currency} on {network} are switched off.',
  decimals_differ:
    'The contract reports {told} decimals, {configured} are configured: held for an operator.',
  ledger_refused: 'The ledger refused it: {code}',
  operator_looks: 'An operator is looking at it.',
  operator_rejected: 'An operator has rejected it.',
  operator_reversed: 'An operator has taken it back.',
  block_replaced:
    'Its block was replaced, and the chain does not hold it now. It comes back if the chain ' +
    'includes it again; a payment that was replaced by another never does.',
  not_taken_back:
    'Credited, then its block was replaced; the ledger refused to take it back: {code}.',
  waits_for_endpoints:
    'Deep enough: it is credited once the nodes agree about its block, and the chain calls it ' +
    'final.',
});
