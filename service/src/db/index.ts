/** The database door. */

export {
  ADVISORY_LOCKS,
  takeLock,
  takeNamedLock,
  takePersonLock,
  tryNamedLock,
} from './advisory-locks.ts';
export { announce, onAnnounced } from './announcer.ts';
export { addApplicationRole, UnfitRole } from './application-roles.ts';
export {
  type AuditFacts,
  isAudited,
  noteRefusal,
  runAsService,
  runAudited,
  runUnaudited,
} from './audit-context.ts';
export { type ClockWatch, createClockWatch } from './clock-skew-monitor.ts';
export { copyEmbedded } from './copy-embedded.ts';
export { makeTemplate } from './embedded-template.ts';
export {
  isDatabaseBusy,
  isDatabaseUnreachable,
  isIndexLocked,
  isLockTimeout,
  readDatabaseError,
  readDatabaseState,
} from './errors.ts';
export { type KeyPage, LISTED_MAX, listKeys, searchKeys } from './list-keys.ts';
export { listMissingMigrations, migrate } from './migrate.ts';
export { DataDirectoryInUse, openEmbedded } from './open-embedded.ts';
export { openServer } from './open-server.ts';
export { PerDatabase } from './per-database.ts';
export {
  booleanArray,
  hideLength,
  plainArray,
  textArray,
  timeArray,
  unnestColumns,
} from './pg-array-literals.ts';
export { planAlongIndexes, refreshStatistics } from './planning.ts';
export { countConnections } from './pool-metrics.ts';
export { RAISED_BY, raiseIds } from './raise-ids.ts';
export { addReplica } from './replica/add-replica.ts';
export { keepReadScope, readFromPrimary, runInReadScope } from './replica/read-scope.ts';
export type { PrimaryReason, Replica, ReplicaState } from './replica/replica-types.ts';
export { deleteDueRows, measureOverdue, type RetentionRule } from './retention.ts';
export {
  defineStatement,
  execute,
  executeUnprepared,
  inOrder,
  queryNamed,
  type Statement,
  type Values,
} from './statement.ts';
export { limitStatements } from './statement-limit.ts';
export {
  databaseOf,
  inAuditedTransaction,
  isUniqueViolation,
  LOCK_TIMEOUT_MS,
  readTransaction,
  savepoint,
  transaction,
} from './transaction.ts';
export type { Database, Db, Transaction } from './types.ts';
