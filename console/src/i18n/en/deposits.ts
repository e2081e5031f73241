export const deposits = {
  title: 'Deposit',
  addressTitle: 'Your deposit address',
  currency: 'Currency',
  network: 'Network',
  warning: 'Send only {{currency}}, and only on the {{network}} network, to this address.',
  delayed:
    'The {{network}} network cannot be read at present: deposits appear late, but none is lost.',
  warningCompare:
    'The sending exchange or wallet must use the same network. If unsure, ask there first.',
  warningLost: 'Payments on another network, or in another token, may be lost.',
  warningContract:
    'The token’s contract is the one named below; others of the same name are not credited.',
  warningMinimum: 'Less than {{amount}} is not credited.',
  warningCoin:
    '{{currency}} from a smart contract is not detected: send it from an ordinary account.',
  qr: 'QR code of your {{currency}} address',
  yourAddress: 'Address',
  copyAddress: 'Copy address',
  memo: 'Memo: needed, or the money cannot be matched to you',
  copyMemo: 'Copy memo',
  minimum: 'Smallest deposit',
  confirmationsNeeded: 'Confirmations needed',
  confirmationsIn: '{{count}} (about {{time}})',
  contract: 'Token contract',
  notOpen: 'Deposits are not open yet',
  notOpenLead: 'The operator has not connected a network so far.',
  networkNotOpen: 'Deposits on {{network}} are not open here',
  networkNotOpenLead: 'Please choose another network.',
  records: 'Deposits',
  all: 'All',
  since: 'From',
  until: 'To',
  count_one: '{{count}} deposit',
  count_other: '{{count}} deposits',
  noMatch: 'No deposit matches these filters',
  none: 'No deposits yet',
  noneLead:
    'A deposit appears here once the network has it, and is credited after its confirmations.',
  confirmations: 'Confirmations',
  confirmationsOf: '{{done}} of {{needed}}',
  detected: 'Detected',
  credited: 'Credited',
  from: 'From',
  toAddress: 'To',
  transaction: 'Transaction',
  copyHash: 'Copy hash',
  explorer: 'Open in the explorer',
  reasonGiven: 'Reason given',
  reason: {
    waits_for_endpoints:
      'It has enough confirmations, and is credited once several servers agree about its block.',
    block_replaced:
      'Its block was replaced. It is confirmed again when the network includes it again.',
    block_replaced_reversed:
      'Its block was replaced after the credit, so it was reversed until it is included again.',
    below_minimum: 'It is less than the smallest deposit, {{amount}}, so it is not credited.',
    coin_not_supported: 'The coin of this network is not supported here, so it is not credited.',
    token_not_supported: 'This token is not supported on this network, so it is not credited.',
    switched_off:
      'Deposits of {{currency}} on this network are switched off, so it is not credited.',
    too_many_decimals:
      'It has more decimals than {{currency}} has here. The operator is reviewing this.',
    decimals_differ:
      'The contract has {{told}} decimals, not {{configured}} as here. The operator is reviewing ' +
      'this.',
    ledger_refused: 'The ledger refused it. The operator is reviewing this.',
    not_taken_back:
      'Its block was replaced after the credit. The operator is reviewing the amount.',
    operator_looks: 'The operator is reviewing this.',
    operator_rejected: 'The operator has decided not to credit it.',
    operator_reversed: 'The operator has reversed it.',
  },
};
