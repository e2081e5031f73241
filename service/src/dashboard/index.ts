/** The dashboard door. */
export { registerDashboard } from './routes.ts';
