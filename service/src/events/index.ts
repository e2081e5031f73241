/** The events door. */
export { assignPositions, EVENTS_CHANNEL } from './assign-positions.ts';
export { deleteOldEvents, measureOldEvents } from './delete-old-events.ts';
export { EventHub } from './event-hub.ts';
export type { EventType, PostingEventType } from './event-types.ts';
export type {
  DescribedPosting,
  PostingSource,
  Side,
} from './postings.ts';
export { recordDatedEvents, recordEvent, recordEvents } from './record-event.ts';
export { type NewPostingRange, recordPostingEvents } from './record-postings.ts';
export { registerEvents } from './routes.ts';
export { skipPositions } from './skip-positions.ts';
export * from './webhooks/index.ts';
