/** What the signer calls: it takes approved payouts, and reports what became of them. */
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { requireNetwork } from '../deposits/index.ts';
import { getCaller, type HttpServer } from '../http/index.ts';
import { fieldError } from '../lib/failures.ts';
import type { PayoutsDeps } from './context.ts';
import { operations } from './operations.ts';
import { reportPayouts } from './report-payouts.ts';
import { ReportBody, TakeBody, TakenPayouts, toTaken } from './signer-schemas.ts';
import { takePayouts } from './take-payouts.ts';

const ACCESS = {
  access: { scopes: ['operator:payouts-sign'], tokens: ['operator'] },
} as const;

/** A signer is its client and the name of its state. */
const signerOf = (request: FastifyRequest, name: string): string =>
  `${getCaller(request).clientId}/${name}`;

export function registerSignerRoutes(app: HttpServer, deps: PayoutsDeps): void {
  app.post(
    '/operator/payouts/take',
    {
      config: ACCESS,
      schema: { ...operations.takePayouts, body: TakeBody, response: { 200: TakenPayouts } },
    },
    async (request) => {
      const { network, signer, limit, decision_position: seen } = request.body;
      await requireNetwork(deps.database, network, 'network');
      const common = { network, limit, signer: signerOf(request, signer) };
      const order = { ...common, ...(seen !== undefined && { decisionPosition: seen }) };
      const { payouts, head } = await takePayouts(deps, order);
      return { payouts: payouts.map(toTaken), ...(head && { head }) };
    },
  );
  app.post(
    '/operator/payouts/reports',
    {
      config: ACCESS,
      schema: {
        ...operations.reportPayouts,
        body: ReportBody,
        response: { 204: Type.Null({ description: 'Written.' }) },
      },
    },
    async (request, reply) => {
      const { signer, reports } = request.body;
      for (const [at, { outcome, tx_hash }] of reports.entries())
        if (outcome === 'sent' && tx_hash === undefined)
          throw fieldError(`reports.${at}.tx_hash`, 'required', 'is required with sent');
      await reportPayouts(deps, { signer: signerOf(request, signer), reports });
      return reply.code(204).send(null);
    },
  );
}
