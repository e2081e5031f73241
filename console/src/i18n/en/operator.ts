export const operator = {
  title: 'Operator',
  notAllowed: 'These pages are for operators',
  notAllowedLead: 'An operator gives this right on the command line. It holds for 15 minutes after signing in with an authenticator app or passkey.',
  confirm: 'Confirm who you are',
};
