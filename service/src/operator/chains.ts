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
import { ACCESS, BackfillBody, HaltBody, NetworkPath, ResumeBody, TAGS } from './chain-schemas.ts';
import {
  describeNetwork,
  type OperatorChainsDeps,
  registerChainConfiguration,
} from './configure-chains.ts';

function registerBackfill(app: HttpServer, { database, clock }: OperatorChainsDeps): void {
  app.post(
    '/operator/chains/:network/backfill',
    {
      config: ACCESS,
      schema: {
        tags: TAGS,
        summary: 'Read old blocks again',
        description:
          'Finds deposits that were made before the network was watched or before their address ' +
          'was issued. Nothing is credited twice.',
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
        tags: TAGS,
        summary: 'Resume a halted network from a block',
        description:
          'Deposits above that block are taken back, and credited again where the chain still ' +
          'holds them. The nodes are asked: 409 `block_mismatch` when one has another block ' +
          'there, or none has any, and when a block below it that holds deposits was ' +
          'replaced (`replaced_height`; `sure_height` and `sure_hash` name the highest ' +
          'with deposits that still stands). Blocks below it that may not have been read as ' +
          'they are now are read again.',
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
        tags: TAGS,
        summary: 'Halt a network',
        description:
          'Nothing is read, credited or reversed until it is resumed. The way back from a block ' +
          'that was believed wrongly: halt, then resume from a lower one. A halted network ' +
          'stays as it is.',
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
      config: ACCESS,
      schema: {
        tags: TAGS,
        summary: 'Networks, their tokens, and where their watchers stand',
        response: { 200: Type.Array(NetworkReport) },
      },
    },
    () => describeNetworks(deps.database, deps.clock, deps.masterKey),
  );
  registerBackfill(app, deps);
  registerResumeAndHalt(app, deps);
}
