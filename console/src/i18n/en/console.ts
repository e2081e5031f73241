/** Texts of the console's pages: one namespace for each. */
export { deposits } from './deposits.ts';
export { devices } from './devices.ts';
export { home } from './home.ts';
export { notifications } from './notifications.ts';
export { operator } from './operator.ts';
export { people } from './people.ts';
export { security } from './security.ts';
export { shell } from './shell.ts';
export { wallets } from './wallets.ts';
export { withdraw } from './withdraw.ts';
