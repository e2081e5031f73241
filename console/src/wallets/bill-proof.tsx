import { unwrap } from '@edge-account/sdk';
import {
  PROOF_CHECKS,
  type ProofCheck,
  type RewardProof,
  verifyRewardProof,
} from '@edge-account/sdk/reward-proof';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { publicApi } from '../api/client.ts';
import { isProblem } from '../api/problem.ts';
import { Button } from '../components/button.tsx';
import { saveBlob } from '../components/file.ts';
import { Icon } from '../components/icon.tsx';
import { QueryBoundary, SkeletonLines } from '../components/layout.tsx';
import { Text } from '../components/text.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { api } from '../session/session-api.ts';
import { ProofFacts } from './proof-facts.tsx';
import type { Bill } from './queries.ts';
import classes from './wallets.module.css';

/** The exact bytes of the response: the signature covers them. */
function fetchProof(billId: number, signal: AbortSignal): Promise<string> {
  const params = { path: { bill_id: billId } };
  return unwrap(api.GET('/me/rewards/{bill_id}/proof', { signal, params, parseAs: 'text' }));
}

async function verify(text: string): Promise<Readonly<Record<ProofCheck, boolean>>> {
  const { keys } = await unwrap(publicApi.GET('/.well-known/reward-keys.json'));
  return verifyRewardProof(text, keys);
}

function Checks({ outcome }: { readonly outcome: Readonly<Record<ProofCheck, boolean>> }) {
  const { t } = useTranslation('wallets');
  const holds = PROOF_CHECKS.every((check) => outcome[check]);
  return (
    <div role="status">
      <Text isStrong>{t(holds ? 'proof.holds' : 'proof.fails')}</Text>
      <ul className={classes.checks}>
        {PROOF_CHECKS.map((check) => (
          <li key={check} data-passed={outcome[check]}>
            <Icon name={outcome[check] ? 'check' : 'close'} size={18} />
            {t(`proof.${check}`)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Rules pay for whole hours: a reward of another time was given by hand, and there is nothing to
 * ask for.
 */
const WHOLE_HOUR = /:00:00\.000Z$/;

/** Why a reward is what it is, and the proof of it, checked here. */
export function BillProof({ bill: { id: billId, event_at } }: { readonly bill: Bill }) {
  const { t } = useTranslation('wallets');
  const isByHand = !WHOLE_HOUR.test(event_at);
  const proof = useQuery({
    queryKey: ['wallets', 'proof', billId],
    queryFn: ({ signal }) => fetchProof(billId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: !isByHand,
  });
  const submission = useSubmission();
  const [outcome, setOutcome] = useState<Readonly<Record<ProofCheck, boolean>>>();
  if (isByHand || isProblem(proof.error, 'not_paid_by_rules', 'not_settled', 'not_found'))
    return <p className={classes.label}>{t('proof.none')}</p>;
  return (
    <div className={classes.proof}>
      <QueryBoundary query={proof} skeleton={<SkeletonLines count={2} />}>
        {(text) => {
          return (
            <>
              <Text isStrong>{t('proof.title')}</Text>
              <ProofFacts proof={JSON.parse(text) as RewardProof} />
              <div className={classes.ways}>
                <Button
                  variant="default"
                  isBusy={submission.isPending}
                  onClick={() => submission.submit(async () => setOutcome(await verify(text)))}
                >
                  {t('proof.verify')}
                </Button>
                <Button
                  variant="default"
                  icon="download"
                  onClick={() =>
                    saveBlob(
                      new Blob([text], { type: 'application/json' }),
                      `reward-${billId}.json`,
                    )
                  }
                >
                  {t('proof.save')}
                </Button>
              </div>
              {outcome && <Checks outcome={outcome} />}
              <Text role="alert" isFailure>
                {submission.message}
              </Text>
            </>
          );
        }}
      </QueryBoundary>
    </div>
  );
}
