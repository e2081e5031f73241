/** The events door. */
export { assignPositions, EVENTS_CHANNEL } from './assign-positions.ts';
export { deleteOldEvents } from './delete-old-events.ts';
export { createEventHub, type EventHub } from './event-hub.ts';
export type { EventType } from './event-types.ts';
export { recordEvent, recordEvents } from './record-event.ts';
export { registerEvents } from './routes.ts';
export * from './webhooks/index.ts';
