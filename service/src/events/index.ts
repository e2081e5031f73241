/** The events door. */
export { assignPositions } from './assign-positions.ts';
export { deleteOldEvents } from './delete-old-events.ts';
export { type NewEvent, recordEvent, recordEvents } from './record-event.ts';
