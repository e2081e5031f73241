/** The events door. */
export { assignPositions } from './assign-positions.ts';
export { deleteOldEvents } from './delete-old-events.ts';
export { createEventHub, type EventHub } from './event-hub.ts';
export { type NewEvent, recordEvent, recordEvents } from './record-event.ts';
export { registerEvents } from './routes.ts';
