/** Reads of the audit log. */

/** As in `requests.ts`. */
interface AuditRequest {
  readonly route: string;
  readonly url: string;
  readonly blocks: number;
  readonly rows: number;
}

/** Filters that an index serves, and those that look through a bounded number of entries. */
export function auditRequests(from: string, now: Date): AuditRequest[] {
  return [
    ...[
      'size=20',
      'actor_kind=person&actor_id=1',
      'subject_kind=users&subject_id=1',
      'operation=setUserGroups',
      'user_id=2',
      `from=${from}T00:00:00Z&to=${now.toISOString()}`,
      `cursor=${now.getTime()}-10000`,
    ].map((query) => ({
      route: 'GET /operator/audit',
      url: `/operator/audit?${query}`,
      blocks: 300,
      rows: 200,
    })),
    // Looks through a bounded number of entries.
    ...[
      'text=nothing',
      'user_id=2&operation=none',
      'subject_id=1&actor_kind=person&operation=none',
    ].map((query) => ({
      route: 'GET /operator/audit',
      url: `/operator/audit?${query}`,
      blocks: 9_000,
      rows: 9_000,
    })),
    ...[
      'operation=none',
      'actor_kind=person&actor_id=none',
      'subject_kind=users&subject_id=none',
      'user_id=987654321',
      'from=2999-01-01T00:00:00Z&to=2999-01-02T00:00:00Z&text=nothing',
    ].map((query) => ({
      route: 'GET /operator/audit/export',
      url: `/operator/audit/export?${query}`,
      blocks: 300,
      rows: 200,
    })),
  ];
}
