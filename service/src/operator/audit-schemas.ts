/** Requests and responses of `/operator/audit`. */
import Type, { type Static } from 'typebox';
import { ACTOR_KINDS } from '../audit/index.ts';
import { Id, StringEnum, Timestamp } from '../http/index.ts';

const SIZE_MAX = 100;

const Values = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), {
    description: `${description} By column; of a secret only that it changed, as \`(secret)\`.`,
  });

export const AuditEntryVO = Type.Object(
  {
    id: Id('The entry.'),
    at: Timestamp('When the change was made, by the clock of the database.'),
    actor: Type.Object(
      {
        kind: StringEnum(
          ACTOR_KINDS,
          '`service`: it did so by itself. `database`: a statement that was run by hand, ' +
            'whatever name its connection gave itself.',
        ),
        id: Type.String({
          description:
            'User id, client id, or login name on the command line. Part of the service: ' +
            '`start`, `migrate`, `job NAME`, `watcher NETWORK`, `webhooks`, `registration`, ' +
            '`closing` (of an account, by its owner). Or database role and program.',
        }),
        name: Type.Optional(
          Type.String({ description: 'Nickname of a person, as it is now; absent: erased.' }),
        ),
        client_id: Type.Optional(
          Type.String({ description: 'Application with which a person acted.' }),
        ),
      },
      { description: 'Who changed it.' },
    ),
    operation: Type.String({
      description: 'operationId of this document, command, or kind of an SQL statement.',
    }),
    subject: Type.Object(
      {
        kind: Type.String({ description: 'Resource, as paths of the API name it.' }),
        id: Type.String({ description: 'Its id in such a path; empty: the resource as a whole.' }),
      },
      { description: 'What was changed.' },
    ),
    people: Type.Array(
      Type.Object({
        user_id: Id('The person.'),
        name: Type.Optional(
          Type.String({ description: 'Nickname, as it is now; absent: none, or erased.' }),
        ),
      }),
      { description: 'Whose account or money it concerns: two of a transfer between people.' },
    ),
    before: Type.Optional(Values('What changed, as it was. Absent: it was not there.')),
    after: Type.Optional(
      Values(
        'What changed, as it became. Absent: it is gone. About money of a person it has ' +
          '`user_id`, `currency`, `amount` and the `transfer_id` that moved it, also where they ' +
          'did not change; of a transfer `business_id`, `debit` and `credit` too, and of one ' +
          'between people `user_id` is debited and `other_user_id` credited.',
      ),
    ),
    reason: Type.Optional(Type.String({ description: 'Reason or remark of the request.' })),
    ip: Type.Optional(Type.String({ description: 'Network address; absent: none, or erased.' })),
    user_agent: Type.Optional(Type.String({ description: 'User agent of a person.' })),
    request_id: Type.Optional(Type.String({ description: '`X-Request-Id` of the request.' })),
    idempotency_key: Type.Optional(
      Type.String({
        description: '`Idempotency-Key` of the request: the ledger has its postings under it.',
      }),
    ),
    is_sealed: Type.Boolean({ description: 'A seal covers it; this takes a few seconds.' }),
  },
  { $id: 'AuditEntry', description: 'A change, with who made it.' },
);
export type AuditEntryVO = Static<typeof AuditEntryVO>;

const filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }));

const FILTERS = {
  actor_kind: Type.Optional(StringEnum(ACTOR_KINDS, 'Only changes by actors of this kind.')),
  actor_id: filter('Only changes by this actor; fast together with `actor_kind`.'),
  subject_kind: filter('Only changes of resources of this kind, such as `users`.'),
  subject_id: filter('Only changes of this resource; fast together with `subject_kind`.'),
  operation: filter('Only this operation.'),
  user_id: Type.Optional(Id('Only changes of the account, or about the money, of this person.')),
  from: Type.Optional(Timestamp('Only changes from this instant on.')),
  to: Type.Optional(Timestamp('Only changes before this instant.')),
  text: filter('Substring of ids, operation, reason, or what was changed.'),
};

export const AuditFilters = Type.Object(FILTERS, { additionalProperties: false });
export type AuditFilters = Static<typeof AuditFilters>;

export const AuditQuery = Type.Object(
  {
    ...FILTERS,
    cursor: filter('`next` of the page before.'),
    size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SIZE_MAX,
        description: `Entries per page, 1 to ${SIZE_MAX}. Default: 20.`,
      }),
    ),
  },
  { additionalProperties: false },
);

export const AuditEntries = Type.Object(
  {
    entries: Type.Array(AuditEntryVO, { description: 'Newest first.' }),
    next: Type.Optional(
      Type.String({ description: '`cursor` of the next page; absent: this is the last one.' }),
    ),
  },
  { description: 'A page of the audit log.' },
);
