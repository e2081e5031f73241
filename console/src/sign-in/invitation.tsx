/** Who invites, and what for: above the form that a referral link opens. */

import { type ResponseBody, unwrap } from '@edge-account/sdk';
import { useEffect, useState } from 'react';
import { publicApi } from '../api/client.ts';
import { isProblem } from '../api/problem.ts';
import { Icon } from '../components/icon.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { useTranslation } from '../i18n/index.ts';
import { initialOf } from '../lib/initial-of.ts';
import classes from './invitation.module.css';

type InvitationVO = ResponseBody<'/user/invitations/{referral_code}', 'get'>;
type Found = InvitationVO | 'unknown' | 'loading' | 'failed';

function useInvitation(code: string): Found {
  const [found, setFound] = useState<Found>('loading');
  useEffect(() => {
    let isGone = false;
    const show = (next: Found): void => {
      if (!isGone) setFound(next);
    };
    const params = { path: { referral_code: code } };
    unwrap(publicApi.GET('/user/invitations/{referral_code}', { params })).then(show, (error) =>
      show(isProblem(error, 'not_found') ? 'unknown' : 'failed'),
    );
    return () => {
      isGone = true;
    };
  }, [code]);
  return found;
}

/** The text that names what devices are paid for, and nothing else. */
function offerOf({ is_paying, has_uptime, has_traffic }: Omit<InvitationVO, 'nickname'>) {
  if (!is_paying) return 'notPaying';
  if (has_uptime && has_traffic) return 'both';
  return has_uptime ? 'uptime' : 'traffic';
}

/** It promises what the rules of the network pay, and nothing else. */
function Offer({ nickname, ...paid }: InvitationVO) {
  const { t } = useTranslation('signIn');
  return (
    <div>
      <p className={classes.name}>{t('invitation.title', { name: nickname })}</p>
      <p>{t(`invitation.${offerOf(paid)}`)}</p>
      {paid.has_referral && <p>{t('invitation.referral')}</p>}
    </div>
  );
}

/** As high in each case as the longest invitation, so that the form below does not move. */
export function Invitation({ code }: { readonly code: string }) {
  const { t } = useTranslation('signIn');
  const found = useInvitation(code);
  const isKnown = typeof found === 'object';
  const longest = (['title', 'both', 'referral'] as const).map((part) => t(`invitation.${part}`));
  return (
    <div className={classes.card}>
      {found === 'loading' ? (
        <Skeleton height={44} width={44} isCircle />
      ) : (
        <span className={classes.initial} aria-hidden="true">
          {isKnown ? initialOf(found.nickname) : <Icon name="link" />}
        </span>
      )}
      <div className={classes.text} data-longest={longest.join('\n')}>
        {found === 'loading' && <Skeleton height={44} />}
        {found === 'unknown' && <p>{t('invitation.unknown')}</p>}
        {found === 'failed' && <p>{t('invitation.failed')}</p>}
        {isKnown && <Offer {...found} />}
      </div>
    </div>
  );
}
