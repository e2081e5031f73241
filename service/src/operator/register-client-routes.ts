/** Everything that operators register for sign-in: clients, their APIs, providers of others. */
import type { HttpServer } from '../http/index.ts';
import { type OperatorClientsDeps, registerOperatorClients } from './clients.ts';
import { type ResourceServersDeps, registerResourceServers } from './resource-servers.ts';
import { registerUpstreamProviders, type UpstreamProvidersDeps } from './upstream-providers.ts';

export type ClientRoutesDeps = Omit<OperatorClientsDeps, 'db'> &
  ResourceServersDeps &
  UpstreamProvidersDeps;

export function registerClientRoutes(app: HttpServer, deps: ClientRoutesDeps): void {
  registerOperatorClients(app, { ...deps, db: deps.database });
  registerResourceServers(app, deps);
  registerUpstreamProviders(app, deps);
}
