import { useTranslation } from '../../i18n/index.ts';
import type { Settlement } from './queries.ts';

interface RunText {
  kindText(settlement: Settlement): string;
  stateText(settlement: Settlement): string;
}

/** What a run settles, and how far it is, in words. */
export function useRunText(): RunText {
  const { t } = useTranslation('operator');
  return {
    kindText: ({ kind }) => t.find('operator', `settlements.kind.${kind}`) ?? kind,
    stateText({ state, failure, refused, close_reason }) {
      if (close_reason !== undefined) return t('settlements.closed');
      if (failure !== undefined) return t('settlements.failed');
      if (refused > 0) return t('settlements.refused', { count: refused });
      return t.find('operator', `settlements.state.${state}`) ?? state;
    },
  };
}
