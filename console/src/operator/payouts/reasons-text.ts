import { useTranslation } from '../../i18n/index.ts';
import type { ReviewedPayout } from './queries.ts';

/** Why an operator must look at a payout, in words. */
export function useReasonsText(): (payout: ReviewedPayout) => string {
  const { t } = useTranslation('operator');
  return ({ review_reasons }) =>
    review_reasons
      .map((reason) => t.find('operator', `payouts.reason.${reason}`) ?? reason)
      .join(t('devices:comma'));
}
