/** Which entries of the audit log are shown, by the address of the page. */
import {
  readDays,
  readNumber,
  readOneOf,
  readWords,
  type Search,
} from '../../lib/search-params.ts';

export const ACTOR_KINDS = ['person', 'client', 'command', 'service', 'database'] as const;

/** As the service limits them. */
const LENGTH_MAX = 255;

export interface AuditFilter {
  readonly operation?: string | undefined;
  readonly actorKind?: (typeof ACTOR_KINDS)[number] | undefined;
  readonly actorId?: string | undefined;
  readonly subjectKind?: string | undefined;
  readonly subjectId?: string | undefined;
  /** Whose account or money it is about. */
  readonly userId?: string | undefined;
  readonly beginTime?: string | undefined;
  readonly endTime?: string | undefined;
  readonly text?: string | undefined;
}

export function readAuditFilter(search: Search): AuditFilter {
  const [beginTime, endTime] = readDays(search.beginTime, search.endTime);
  return {
    operation: readWords(search.operation, LENGTH_MAX),
    actorKind: readOneOf(search.actorKind, ACTOR_KINDS),
    actorId: readWords(search.actorId, LENGTH_MAX),
    subjectKind: readWords(search.subjectKind, LENGTH_MAX),
    subjectId: readWords(search.subjectId, LENGTH_MAX),
    userId: readNumber(search.userId),
    beginTime,
    endTime,
    text: readWords(search.text, LENGTH_MAX),
  };
}

const DAY_MS = 86_400_000;

/** The query of the service, which takes instants: the last day is included. */
export function toAuditQuery(filter: AuditFilter) {
  const { beginTime, endTime, operation, text, userId } = filter;
  return {
    operation,
    text,
    actor_kind: filter.actorKind,
    actor_id: filter.actorId,
    subject_kind: filter.subjectKind,
    subject_id: filter.subjectId,
    user_id: userId === undefined ? undefined : Number(userId),
    from: beginTime && `${beginTime}T00:00:00.000Z`,
    to: endTime && new Date(Date.parse(`${endTime}T00:00:00Z`) + DAY_MS).toISOString(),
  };
}

export const countFilters = (filter: AuditFilter): number =>
  Object.values(filter).filter((value) => value !== undefined).length;
