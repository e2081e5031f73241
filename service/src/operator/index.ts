/** What business servers call. */
export { registerTrafficReports } from './traffic-reports.ts';
export { registerOperatorWebhooks } from './webhooks.ts';
