/** The audit door. */
export { NOT_AUDITED } from './not-audited.ts';
export {
  ACTOR_KINDS,
  type AuditEntry,
  type AuditFilter,
  type Cursor,
  readEntries,
} from './queries.ts';
