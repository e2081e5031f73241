/** What a command changes is in the audit log under the login name of its user. */
import { userInfo } from 'node:os';
import { runAudited } from '../db/index.ts';

/** A container may have a user without a name. */
function findLoginName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** @param operation the command, with its first word */
export function nameCommand<T>(operation: string, work: () => T): T {
  const facts = {
    actor_kind: 'command',
    actor_id: findLoginName(),
    operation,
    subject_kind: 'commands',
    subject_id: operation,
  } as const;
  return runAudited(facts, work);
}
