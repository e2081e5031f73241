/**
 * `/operator/chains`: operators configure networks and tokens, read their state and control the
 * watchers.
 */

import Type from 'typebox';
import {
  describeNetworks,
  haltByOperator,
  NetworkReport,
  requestBackfill,
  requireNetworkInPath,
  resumeChain,
} from '../deposits/index.ts';
import type { HttpServer } from '../http/index.ts';
import { ACCESS, BackfillBody, HaltBody, NetworkPath, ResumeBody } from './chain-schemas.ts';
import {
  describeNetwork,
  type OperatorChainsDeps,
  registerChainConfiguration,
} from './configure-chains.ts';
import { operations } from './operations/chains.ts';

function registerBackfill(app: HttpServer, { database, clock }: OperatorChainsDeps): void {
  app.post(
    '/operator/chains/:network/backfill',
    {
      config: ACCESS,
      schema: {
        ...operations.backfillChain,
        params: NetworkPath,
        body: BackfillBody,
        response: {
          202: Type.Object({
            backfill_id: Type.Integer(),
            from_height: Type.Integer(),
            to_height: Type.Integer(),
          }),
        },
      },
    },
    async (request, reply) => {
      const backfill = await requestBackfill(
        database,
        { network: await requireNetworkInPath(database, request.params.network), clock },
        request.body.from_height,
      );
      return reply.code(202).send({
        backfill_id: backfill.id,
        from_height: backfill.fromHeight,
        to_height: backfill.toHeight,
      });
    },
  );
}

function registerResumeAndHalt(app: HttpServer, deps: OperatorChainsDeps): void {
  const { database, clock, masterKey } = deps;
  app.post(
    '/operator/chains/:network/resume',
    {
      config: ACCESS,
      schema: {
        ...operations.resumeChain,
        params: NetworkPath,
        body: ResumeBody,
        response: { 200: NetworkReport },
      },
    },
    async (request) => {
      const network = await requireNetworkInPath(database, request.params.network);
      await resumeChain(database, { network, clock, masterKey }, request.body);
      return describeNetwork(deps, network.code);
    },
  );
  app.post(
    '/operator/chains/:network/halt',
    {
      config: ACCESS,
      schema: {
        ...operations.haltChain,
        params: NetworkPath,
        body: HaltBody,
        response: { 200: NetworkReport },
      },
    },
    async (request) => {
      const network = await requireNetworkInPath(database, request.params.network);
      await haltByOperator(database, { network, clock }, request.body.reason);
      return describeNetwork(deps, network.code);
    },
  );
}

/** Registers `/operator/chains…`. */
export function registerOperatorChains(app: HttpServer, deps: OperatorChainsDeps): void {
  registerChainConfiguration(app, deps);
  app.get(
    '/operator/chains',
    {
      config: { ...ACCESS, readsFrom: 'standby' },
      schema: { ...operations.listChains, response: { 200: Type.Array(NetworkReport) } },
    },
    () => describeNetworks(deps.database, deps.clock, deps.masterKey),
  );
  registerBackfill(app, deps);
  registerResumeAndHalt(app, deps);
}
