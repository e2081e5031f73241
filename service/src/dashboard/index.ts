/** The dashboard door. */
export { type DashboardDeps, registerDashboard } from './routes.ts';
