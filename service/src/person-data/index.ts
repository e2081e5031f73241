/** The door of a user's data. */
export { eraseDueUsers } from './erase-users.ts';
export { registerPersonData } from './routes.ts';
