/** The door of a user's data. */
export { eraseDueUsers } from './erase-users.ts';
export type { PersonDataDeps } from './export-person.ts';
export { registerPersonData } from './routes.ts';
