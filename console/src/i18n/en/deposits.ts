export const deposits = {
  title: 'Deposit',
  addressTitle: 'Your deposit address',
  currency: 'Currency',
  network: 'Network',
  warning: 'Send only {{currency}}, and only on the {{network}} network, to this address.',
  delayed:
    'We cannot see the {{network}} network right now: deposits show up later than usual. Nothing is lost.',
  warningCompare:
    'The exchange or wallet that you send from must name the same network; if you are not sure, ask there first.',
  warningLost: 'What arrives on another network, or another token, may be lost for good.',
  warningContract:
    'The token’s contract is the one named below; others of the same name are not credited.',
  warningMinimum: 'Less than {{amount}} is not credited.',
  warningCoin:
    '{{currency}} that a smart contract sends is not noticed: send it from an ordinary account.',
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
    'A deposit appears here as soon as the network has seen it, and is credited after its confirmations.',
  confirmations: 'Confirmations',
  confirmationsOf: '{{done}} of {{needed}}',
  detected: 'Seen',
  credited: 'Credited',
  from: 'From',
  toAddress: 'To',
  transaction: 'Transaction',
  explorer: 'Look it up',
  reasonGiven: 'Reason given',
  reason: {
    waits_for_nodes:
      'It is deep enough, and is credited as soon as the nodes agree about its block.',
    block_replaced:
      'Its block was replaced by another one. It is confirmed again as soon as the network includes it anew.',
    block_replaced_reversed:
      'Its block was replaced after it had been credited, so it was taken back. It is credited again if the network includes it anew.',
    below_minimum: 'It is less than the smallest deposit, {{amount}}, so it is not credited.',
    coin_not_supported: 'The coin of this network is not supported here, so it is not credited.',
    token_not_supported: 'This token is not supported on this network, so it is not credited.',
    switched_off:
      'Deposits of {{currency}} on this network are switched off, so it is not credited.',
    too_many_decimals:
      'It has more decimals than {{currency}} can hold here, so it waits for a decision of the operator.',
    decimals_differ:
      'The token’s contract says {{told}} decimals, and {{configured}} are set up here, so it waits for a decision of the operator.',
    ledger_refused: 'It could not be booked, so it waits for a decision of the operator.',
    not_taken_back:
      'Its block was replaced after it had been credited. The amount is still in the wallet and waits for a decision of the operator.',
    operator_looks: 'It waits for a decision of the operator.',
    operator_rejected: 'The operator has decided not to credit it.',
    operator_reversed: 'The operator has taken it back.',
  },
};
