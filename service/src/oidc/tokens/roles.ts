/** What the claim `roles` holds. */
import type { Client } from '../clients/index.ts';

/** The roles of a member of these groups in the application, by name; undefined without any. */
export function rolesOf(
  client: Pick<Client, 'metadata'> | undefined,
  groups: readonly string[],
): readonly string[] | undefined {
  const roles = (client?.metadata?.roles ?? [])
    .filter(({ group }) => groups.includes(group))
    .map(({ role }) => role);
  return roles.length === 0 ? undefined : [...new Set(roles)].sort();
}
