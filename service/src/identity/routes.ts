/** Everything of this domain, put together. */
import type { HttpServer } from '../http/index.ts';
import { registerAccountRoutes } from './account/routes.ts';
import { createIdentityContext, type IdentityDeps } from './context.ts';
import { registerLoginRoutes } from './login/routes.ts';
import { registerResetRoutes } from './reset/routes.ts';
import { registerSecondFactorRoutes } from './second-factors/routes.ts';
import { registerUpstreamRoutes } from './upstream/routes.ts';
import { registerWalletRoutes } from './wallets/routes.ts';

/** Registers users and sign-in. */
export function registerIdentity(app: HttpServer, deps: IdentityDeps): void {
  const context = createIdentityContext(deps);
  registerLoginRoutes(app, context);
  registerResetRoutes(app, context);
  registerAccountRoutes(app, context);
  registerSecondFactorRoutes(app, context);
  registerUpstreamRoutes(app, context);
  registerWalletRoutes(app, context);
  app.addHook('onClose', () => context.background.settle());
}
