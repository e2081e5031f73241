/** What operators change in the books: transfers of the house, wallets and currencies. */
export const books = {
  moveTitle: 'Move between accounts',
  moveLead:
    'Both are system accounts; no person gets or loses anything. It is a transfer with a ' +
    'number, and can be reversed.',
  move: 'Move',
  sameAccount: 'Choose two different accounts.',
  reasonLead: 'It is kept with the transfer.',
  moved: '{{amount}} moved',
  code: 'Code',
  wallets: 'Wallets and system accounts',
  walletsLead: 'Each person has one wallet of each kind. System accounts belong to the network.',
  addWallet: 'Add a wallet',
  walletForGood: 'It is for good: neither its code nor its owner can be changed, and it stays.',
  walletCodeLead: '2 to 32 small letters, digits and underscores.',
  walletTaken: 'This code is taken.',
  owner: 'Belongs to',
  ofHouse: 'The network',
  ofPeople: 'Each person',
  currencies: 'Currencies',
  currenciesLead: 'What the ledger can hold. The decimals of a currency never change.',
  addCurrency: 'Add a currency',
  currencyForGood: 'It is for good: a currency stays, and its decimals cannot be corrected later.',
  currencyCodeLead: '2 to 16 capital letters and digits.',
  scaleLead: 'Decimals of one unit, 0 to 30; 8 for BTC.',
  networks: 'Open for deposits on',
  decimals_one: '{{count}} decimal',
  decimals_other: '{{count}} decimals',
};

/** What operators alone can be refused. */
export const problem = {
  own_client: 'The service needs this application. Switch it off instead.',
  already_reversed: 'This was reversed already.',
  not_reversible: 'This cannot be reversed.',
  refund_too_large: 'This is more than remains of the purchase.',
  settlement_done: 'This settlement has ended already.',
  hold_of_payout: 'This belongs to a payout, and is decided there.',
  hold_not_open: 'This was paid out or given back already.',
  hold_expired: 'Its time is over: the money is given back by itself.',
  wallet_exists: 'This code is taken, with another owner.',
  wallet_limit: 'There can be no more wallets.',
};
