/** The door of a user's data. */
export type { PersonDataDeps } from './export-person.ts';
export { registerPersonData } from './routes.ts';
