export const texts = {
  signedOut: 'Not signed in.',
  signedOutLead: 'Sign in, and this browser becomes a device of the network.',
  online: 'Online.',
  onlineLead: 'This browser is a device of the network.',
  connecting: 'Connecting …',
  stopped: 'Stopped: {{reason}}.',
  waiting: 'Trying again: {{reason}}.',
  signedOutHere: 'signed out on this device only; the service was not reached: {{reason}}',
  signIn: 'Sign in',
  signOut: 'Sign out',
  earnedToday: 'Earned today',
  earnedYesterday: 'Yesterday',
  notPaying: 'This network has not started paying rewards yet.',
  dashboard: 'Earnings and devices',
};

export type Texts = Readonly<typeof texts>;
