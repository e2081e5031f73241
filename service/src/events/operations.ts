/** Names and texts of the operations, and the problem codes of their own. */
import { describeOperations } from '../http/index.ts';

export const operations = describeOperations('events', {
  streamEvents: {
    summary: 'Stream the events of the current user',
    description:
      'Server-sent events, to be read with `fetch` and the Authorization header. Each event ' +
      'has an increasing `id`, its type as `event`, and `{type, timestamp, data}` as `data`. ' +
      'The first event is `ready`, whose `id` is where the stream begins, or `reset` if the ' +
      'stream cannot continue after `Last-Event-ID` (`reason`: `events_no_longer_kept` after 7 ' +
      'days, `unknown_event_id` if no event has that ID yet): read everything again, then ' +
      'continue. A token receives the events that its scopes allow. When it expires or is ' +
      'revoked, the stream ends with `closed` and its `reason`.',
    failures: ['rate_limited'],
  },
});
