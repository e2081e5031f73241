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
};
