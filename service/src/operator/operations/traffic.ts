/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../../http/index.ts';

export const operations = describeOperations('operator-traffic', {
  reportTraffic: {
    summary: 'Report measured traffic',
    description:
      'Up to 1000 measurements of a relay, each judged by itself: accepted, replayed (the same ' +
      'report again, which counts once) or refused with a code.',
  },
});
