/** Everything of this domain, put together. */
import type { HttpServer } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import { registerAccountRoutes } from './account/routes.ts';
import { createIdentityContext, type IdentityDeps } from './context.ts';
import { deleteExpired } from './delete-expired.ts';
import { registerLoginRoutes } from './login/routes.ts';
import { registerResetRoutes } from './reset/routes.ts';
import { registerSecondFactorRoutes } from './second-factors/routes.ts';

const CLEAN_EVERY_MS = 600_000;

/** Registers people and sign-in; gives the jobs that keep its tables small. */
export function registerIdentity(app: HttpServer, deps: IdentityDeps): Job[] {
  const context = createIdentityContext(deps);
  registerLoginRoutes(app, context);
  registerResetRoutes(app, context);
  registerAccountRoutes(app, context);
  registerSecondFactorRoutes(app, context);
  app.addHook('onClose', () => context.background.settle());
  return [
    {
      name: 'delete-expired-proofs',
      every_ms: CLEAN_EVERY_MS,
      run: () => deleteExpired(deps.database, deps.clock),
    },
  ];
}
