/** `GET /me/export`: everything that is kept about the caller. */
import type { Readable } from 'node:stream';
import { type Database, transaction } from '../db/index.ts';
import { consumeRateLimit, type Principal } from '../http/index.ts';
import {
  notifyOwner,
  type RequestOrigin,
  requireStepUp,
  type StepUpDeps,
} from '../identity/index.ts';
import { openArchive } from './write-archive.ts';

export interface PersonDataDeps extends StepUpDeps {
  readonly database: Database;
  onError(error: unknown): void;
}

/** An archive reads everything that a user has. */
const PER_DAY = { name: 'person-export', hits: 10, window_s: 86_400 };

/**
 * Begins an archive. The security log has it, and the owner gets a mail.
 * @throws `reauthentication_required`, `rate_limited`
 */
export async function exportPerson(
  deps: PersonDataDeps,
  caller: Principal & { readonly userId: number },
  origin: RequestOrigin,
): Promise<Readable> {
  const { database, clock, onError } = deps;
  const { userId } = caller;
  await requireStepUp(database, deps, caller);
  await consumeRateLimit(database, clock, PER_DAY, String(userId));
  await transaction(database, (tx) =>
    notifyOwner(tx, clock, {
      ...{ userId, origin, type: 'data_exported' },
      notice: { kind: 'dataExported' },
    }),
  );
  return openArchive(database, { userId, clock, onError });
}
