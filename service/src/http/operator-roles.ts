/** Roles of operators: names for the scopes that a kind of work needs. */

/** Reads what any scope of operators reads, and changes nothing. */
export const OPERATOR_READ = 'operator:read';

const FINANCE = [
  ...['rewards', 'transfers', 'withdrawals', 'payouts', 'purchases', 'prices', 'ledger'],
  ...['deposits', 'held-rewards'],
];

/** `all`: every scope of operators, of later versions too. */
export const OPERATOR_ROLES: Readonly<Record<string, readonly string[] | 'all'>> = {
  viewer: [OPERATOR_READ],
  support: [OPERATOR_READ, 'operator:users'],
  finance: [OPERATOR_READ, ...FINANCE.map((name) => `operator:${name}`)],
  admin: 'all',
};

const PREFIX = 'role:';

/** How a granted role is stored, beside scopes. */
export const toGrant = (role: string): string => `${PREFIX}${role}`;

/** The names of the granted roles, and the scopes that were granted one by one. */
export function splitGrants(grants: readonly string[]): { roles: string[]; scopes: string[] } {
  return {
    roles: grants
      .filter((grant) => grant.startsWith(PREFIX))
      .map((grant) => grant.slice(PREFIX.length)),
    scopes: grants.filter((grant) => !grant.startsWith(PREFIX)),
  };
}

/** What allows a scope: the scope itself, and the roles that have it. */
export function grantsOf(scope: string): string[] {
  const roles = Object.entries(OPERATOR_ROLES)
    .filter(([, scopes]) => scopes === 'all' || scopes.includes(scope))
    .map(([role]) => toGrant(role));
  return [scope, ...roles];
}

/** The scopes of what was granted to a person; a role of another version has none. */
export function scopesOfGrants(grants: readonly string[], all: readonly string[]): string[] {
  const scopes = grants.flatMap((grant) => {
    if (!grant.startsWith(PREFIX)) return [grant];
    const role = OPERATOR_ROLES[grant.slice(PREFIX.length)];
    return role === 'all' ? all : (role ?? []);
  });
  return [...new Set(scopes)];
}

/** Scopes of programs, whose reads are not for people. */
const OWN_READS: ReadonlySet<string> = new Set(['operator:payouts-sign']);

/** True where `operator:read` stands in for the scope of a route. */
export function isReadByAnyOperator(method: string, scope: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && scope.startsWith('operator:') && !OWN_READS.has(scope);
}
