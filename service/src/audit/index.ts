/** The audit door. */
export { NOT_AUDITED } from './not-audited.ts';
export {
  ACTOR_KINDS,
  type AuditEntry,
  type AuditFilter,
  type Cursor,
  readEntries,
} from './queries.ts';
export { createAuditJobs, sealEntries } from './seal-entries.ts';
export { type AuditPlace, installAuditSeals, readAuditPlace } from './seals.ts';
export {
  findFuturePlaces,
  listVerifiedPlaces,
  readLastVerification,
  recordVerification,
  type Verification,
  type VerifiedPlaceRecord,
} from './verifications.ts';
export { verifyAudit } from './verify-audit.ts';
