/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from './openapi/describe-operations.ts';

export const operations = describeOperations('operations', {
  getHealth: {
    summary: 'Liveness of the instance',
    description:
      'Answers as long as the process serves requests; it does not look at the database. For ' +
      'liveness probes.',
  },
  getReadiness: {
    summary: 'Readiness of the instance',
    description:
      '200 when the instance can serve. Otherwise 503, and `reason` says why: `draining`, ' +
      '`database_unreachable`, `database_read_only` or `feed_stale`. A standby that cannot ' +
      'answer reads is no reason: `standby` says how it is. For load balancers.',
    failures: ['unavailable'],
  },
  getMetrics: {
    summary: 'Prometheus metrics',
    description: 'Metrics of this instance in the text format of Prometheus. They name no person.',
  },
});
