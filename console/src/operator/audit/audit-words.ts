/** What an entry of the audit log says, in words; codes without words are shown as they are. */
import type { Translate } from '../../i18n/translate.ts';
import type { AuditEntry } from './queries.ts';

type Find = Pick<Translate, 'find'>;

export function operationText(t: Find, operation: string): string {
  return t.find('operator', `audit.operation.${operation}`) ?? operation;
}

export function subjectKindText(t: Find, kind: string): string {
  return t.find('operator', `audit.subjects.${kind}`) ?? kind;
}

/** A command has its name as its operation already. */
export function subjectText(t: Find, { kind, id }: AuditEntry['subject']): string {
  return id === '' || kind === 'commands'
    ? subjectKindText(t, kind)
    : `${subjectKindText(t, kind)} ${id}`;
}

/** The role of a connection, and the program that said its name: `ROLE/PROGRAM`. */
function databaseText(t: Find, id: string): string {
  const [role = id, program = ''] = id.split('/', 2);
  return program === ''
    ? (t.find('operator', 'audit.role', { role }) ?? role)
    : (t.find('operator', 'audit.roleOf', { role, program }) ?? id);
}

/** A person has a name until the account is erased. */
export function actorText(t: Find, { kind, id, name }: AuditEntry['actor']): string {
  if (kind === 'database') return databaseText(t, id);
  if (kind !== 'person') return id;
  return name ?? t.find('operator', 'audit.person', { id }) ?? id;
}

/** With the number of a person, whose name may change, and what kind of actor another is. */
export function fullActorText(t: Find, actor: AuditEntry['actor']): string {
  const { kind, id, name } = actor;
  if (kind === 'database') return databaseText(t, id);
  const number = `${actorKindText(t, kind)} ${id}`;
  if (name === undefined) return number;
  return t.find('operator', 'nameAndNumber', { name, number }) ?? name;
}

export function actorKindText(t: Find, kind: string): string {
  return t.find('operator', `audit.actorKinds.${kind}`) ?? kind;
}
