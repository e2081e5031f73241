/** `/operator/users/{user_id}/…`: what support does for a person, and notes about them. */
import type { Static } from 'typebox';
import type { Database } from '../db/index.ts';
import {
  getCaller,
  type HttpServer,
  IdempotencyHeaders,
  PageQuery,
  parsePathId,
  sendIdempotent,
  toPage,
} from '../http/index.ts';
import {
  addUserNote,
  endUserSessions,
  findNicknames,
  findUser,
  listUserNotes,
  resetSecondFactors,
  type UserNote,
} from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import { operations } from './operations/people.ts';
import {
  EndedUserSessions,
  NoteBody,
  ReasonBody,
  readStatusChange,
  UserNotes,
  UserNoteVO,
  UserParams,
} from './user-schemas.ts';

interface UserActionDeps {
  readonly database: Database;
  readonly clock: Clock;
}

const config = { access: { scopes: ['operator:users'] } };

function toNoteVO(
  note: UserNote,
  nicknames: ReadonlyMap<number, string>,
): Static<typeof UserNoteVO> {
  const { authorId } = note;
  return {
    id: note.id,
    text: note.text,
    ...(authorId !== undefined && {
      author: { user_id: authorId, nickname: nicknames.get(authorId) ?? '' },
    }),
    client_id: note.clientId,
    created_at: note.createdAt.toISOString(),
  };
}

function registerNotes(app: HttpServer, { database, clock }: UserActionDeps): void {
  app.get(
    '/operator/users/:user_id/notes',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: {
        ...operations.listUserNotes,
        params: UserParams,
        querystring: PageQuery,
        response: { 200: UserNotes },
      },
    },
    async ({ params, query }) => {
      const user = await findUser(database, parsePathId(params.user_id));
      if (!user) throw failure('not_found');
      const { notes, total } = await listUserNotes(database, user.userId, query);
      const authors = notes.flatMap(({ authorId }) => authorId ?? []);
      const nicknames = await findNicknames(database, authors);
      return toPage(
        notes.map((note) => toNoteVO(note, nicknames)),
        total,
        query,
      );
    },
  );
  app.post(
    '/operator/users/:user_id/notes',
    {
      config,
      schema: {
        ...operations.addUserNote,
        params: UserParams,
        headers: IdempotencyHeaders,
        body: NoteBody,
        response: { 201: UserNoteVO },
      },
    },
    async (request, reply) => {
      const { clientId, userId: authorId } = getCaller(request);
      return sendIdempotent(database, request, reply, async (tx) => {
        const note = await addUserNote(tx, clock, {
          userId: parsePathId(request.params.user_id),
          ...(authorId !== undefined && { authorId }),
          clientId,
          text: request.body.text,
        });
        const nicknames = await findNicknames(tx, authorId === undefined ? [] : [authorId]);
        return { status: 201, body: toNoteVO(note, nicknames) };
      });
    },
  );
}

export function registerUserActions(app: HttpServer, deps: UserActionDeps): void {
  const { database, clock } = deps;
  registerNotes(app, deps);
  app.post(
    '/operator/users/:user_id/end-sessions',
    {
      config,
      schema: {
        ...operations.endUserSessions,
        params: UserParams,
        body: ReasonBody,
        response: { 200: EndedUserSessions },
      },
    },
    async (request) => {
      const change = readStatusChange(request, request.params.user_id, request.body.reason);
      return { ended: await endUserSessions(database, clock, change) };
    },
  );
  app.post(
    '/operator/users/:user_id/reset-second-factors',
    {
      config,
      schema: {
        ...operations.resetUserSecondFactors,
        params: UserParams,
        body: ReasonBody,
        response: { 200: EndedUserSessions },
      },
    },
    async (request) => {
      const change = readStatusChange(request, request.params.user_id, request.body.reason);
      return { ended: await resetSecondFactors(database, clock, change) };
    },
  );
}
