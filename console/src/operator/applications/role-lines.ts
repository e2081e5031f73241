/** Roles as lines of text: a group, a space, and what the application calls its members. */
import type { Application } from './queries.ts';

type Role = NonNullable<Application['roles']>[number];

/** @returns undefined: a line is not two words */
export function readRoleLines(text: string): Role[] | undefined {
  const lines = text.split('\n').map((line) => line.split(/\s+/).filter(Boolean));
  const filled = lines.filter((words) => words.length > 0);
  if (filled.some((words) => words.length !== 2)) return undefined;
  return filled.map(([group = '', role = '']) => ({ group, role }));
}

export function writeRoleLines(roles: readonly Role[]): string {
  return roles.map(({ group, role }) => `${group} ${role}`).join('\n');
}
