/** What an entry of the audit log says, in words; codes without words are shown as they are. */
import { businessText, counterpartyText, rewardTypeText } from '../../i18n/labels.ts';
import type { Translate } from '../../i18n/translate.ts';
import type { AuditEntry } from './queries.ts';
import type { EntryMoney } from './read-entry-money.ts';

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

/** A part of the service: `start`, `job NAME`, `watcher NETWORK`, or another. */
function serviceText(t: Find, id: string): string {
  const [part = '', name = ''] = id.split(' ', 2);
  return (
    t.find('operator', `audit.service.${part}`, { name }) ??
    t.find('operator', 'audit.service.other') ??
    id
  );
}

/** A person has a name until the account is erased. */
export function actorText(t: Find, { kind, id, name }: AuditEntry['actor']): string {
  if (kind === 'database') return databaseText(t, id);
  if (kind === 'service') return serviceText(t, id);
  if (kind !== 'person') return id;
  return name ?? t.find('operator', 'audit.person', { id }) ?? id;
}

/** With the number of a person, whose name may change, and what kind of actor another is. */
export function fullActorText(t: Find, actor: AuditEntry['actor']): string {
  const { kind, id, name } = actor;
  if (kind === 'database') return databaseText(t, id);
  if (kind === 'service') return serviceText(t, id);
  const number = `${actorKindText(t, kind)} ${id}`;
  if (name === undefined) return number;
  return t.find('operator', 'nameAndNumber', { name, number }) ?? name;
}

export function actorKindText(t: Find, kind: string): string {
  return t.find('operator', `audit.actorKinds.${kind}`) ?? kind;
}

/** Whom it concerns; an erased account has no name. */
export function personText(t: Find, { user_id, name }: AuditEntry['people'][number]): string {
  const id = String(user_id);
  return name || (t.find('operator', 'audit.person', { id }) ?? id);
}

/** The wallet of a person, or the account of the house. */
export function walletText(t: Find, code: string): string {
  return t.find('operator', `person.walletName.${code}`) ?? counterpartyText(t, code);
}

/** What a transfer was for. */
export function transferText(t: Find, { business, rewardType }: EntryMoney): string | undefined {
  if (business === undefined) return undefined;
  const words = businessText(t, business);
  return rewardType === undefined ? words : `${words} · ${rewardTypeText(t, rewardType)}`;
}
