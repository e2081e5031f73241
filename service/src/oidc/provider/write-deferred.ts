/**
 * One statement for the code and the session of an answer, which the library stores one after the
 * other. Neither is read before the answer has left.
 */
import type { KoaContextWithOIDC } from 'oidc-provider';
import { isDatabaseBusy, isDatabaseUnreachable, readDatabaseState } from '../../db/index.ts';
import { Failure } from '../../lib/failures.ts';
import type { OidcContext } from '../context.ts';
import { renderError } from './error-page.ts';
import { writeDeferred } from './object-store.ts';
import { stateOf } from './request-state.ts';

/** Errors of the database that another attempt may not meet. */
function isTemporary(error: Error): boolean {
  if (error instanceof Failure) return error.code === 'unavailable';
  return (
    isDatabaseUnreachable(error) || isDatabaseBusy(error) || readDatabaseState(error) !== undefined
  );
}

/** The answer is `server_error` already, as a page or as JSON. */
function answerUnavailable(ctx: KoaContextWithOIDC): void {
  ctx.status = 503;
  ctx.set('retry-after', '1');
  if (typeof ctx.body === 'object')
    ctx.body = {
      error: 'temporarily_unavailable',
      error_description: 'the request could not be served',
    };
}

/** After the library, or `storeAnswer`, has answered `server_error`. */
export function answerFailure(ctx: KoaContextWithOIDC, error: Error, context: OidcContext): void {
  context.onError(error);
  if (isTemporary(error)) answerUnavailable(ctx);
}

/** Stores what the answer refers to. Where that fails, the answer is `server_error`. */
export async function storeAnswer(ctx: KoaContextWithOIDC, context: OidcContext): Promise<void> {
  const { deferred } = stateOf(ctx);
  try {
    await writeDeferred(context.database, [...(deferred?.values() ?? [])]);
  } catch (error) {
    ctx.remove('location');
    ctx.status = 500;
    renderError(context.look(), ctx, {
      error: 'server_error',
      error_description: 'the request could not be stored',
    });
    answerFailure(ctx, error as Error, context);
  }
}
